import type { Platform, ReleaseRecipe } from './recipe.js';

type NameOf = (os: Platform['os'], arch: Platform['arch']) => string;

/** A file of a GitHub release. `checksum` is the file beside it that lists the sums. */
export function githubRelease(release: {
  readonly repository: string;
  readonly tag: string;
  readonly file: NameOf;
  readonly member?: NameOf;
  readonly checksum: 'github-digest' | (string & {});
}): ReleaseRecipe {
  const { repository, tag, file, member, checksum } = release;
  const folder = `/${repository}/releases/download/${tag}`;
  const origin = 'https://github.com';
  return {
    origin,
    file: ({ os, arch }) => `${folder}/${file(os, arch)}`,
    checksum:
      checksum === 'github-digest'
        ? {
            origin: 'https://api.github.com',
            path: () => `/repos/${repository}/releases/tags/${tag}`,
            format: 'github-digest',
          }
        : { origin, path: () => `${folder}/${checksum}`, format: 'lines' },
    ...(member === undefined ? {} : { member: ({ os, arch }: Platform) => member(os, arch) }),
    // Projects publish .zip for other systems, or nothing; building works there.
    systems: ['linux'],
  };
}

/** A Kubernetes server binary. @see https://kubernetes.io/releases/download/ */
export function kubernetesRelease(name: string, version: string): ReleaseRecipe {
  const file = ({ os, arch }: Platform): string => `/v${version}/bin/${os}/${arch}/${name}`;
  const origin = 'https://dl.k8s.io';
  return {
    origin,
    file,
    checksum: { origin, path: (platform) => `${file(platform)}.sha256`, format: 'bare' },
    systems: ['linux'],
  };
}
