import type { EngineName } from './engine-names.js';
import type { EngineRecipe } from './recipe.js';
import { githubRelease, kubernetesRelease } from './release-files.js';

const KUBERNETES = { version: '1.36.3', major: '1', minor: '36' };

/**
 * Names, versions and origins of every engine: the one place. The Go modules in `engines/` pin the
 * same versions; a test compares the two.
 *
 * Kubernetes 1.36 because kwok 0.8.0 and Cilium 1.20.2 use its libraries, so that all of them share
 * one compile. The exporter is Cilium 1.15 because the main package of 1.20 cannot be built from the
 * Go module proxy. CPU seconds were measured one engine after another with empty Go caches, on the
 * slowest machine so far; another one needed half of them.
 *
 * @see docs/engines.md
 */
export const CATALOGUE: Readonly<Record<EngineName, EngineRecipe>> = {
  etcd: {
    name: 'etcd',
    version: '3.6.12',
    // 3.4 lacks progress requests on watches, which kube-apiserver 1.36 asks for.
    fit: { kind: 'at-least', version: '3.5.0', below: '4.0.0' },
    probe: { args: ['--version'], pattern: /etcd Version: (\d+\.\d+\.\d+\S*)/ },
    build: { module: 'control-plane', package: 'go.etcd.io/etcd/server/v3', cpuSeconds: 170 },
    release: githubRelease({
      repository: 'etcd-io/etcd',
      tag: 'v3.6.12',
      file: (os, arch) => `etcd-v3.6.12-${os}-${arch}.tar.gz`,
      member: (os, arch) => `etcd-v3.6.12-${os}-${arch}/etcd`,
      checksum: 'SHA256SUMS',
    }),
  },
  'kube-apiserver': kubernetes('kube-apiserver', 680),
  'kube-controller-manager': kubernetes('kube-controller-manager', 190),
  'kube-scheduler': kubernetes('kube-scheduler', 17),
  kwok: {
    name: 'kwok',
    version: '0.8.0',
    fit: { kind: 'same-minor' },
    probe: { args: ['--version'], pattern: /kwok version v?(\d+\.\d+\.\d+\S*)/ },
    build: { module: 'control-plane', package: 'sigs.k8s.io/kwok/cmd/kwok', cpuSeconds: 49 },
    release: githubRelease({
      repository: 'kubernetes-sigs/kwok',
      tag: 'v0.8.0',
      file: (os, arch) => `kwok-${os}-${arch}`,
      // kwok publishes no checksum file; GitHub's own record of the release has each file's digest.
      checksum: 'github-digest',
    }),
  },
  kvstoremesh: {
    name: 'kvstoremesh',
    version: '1.20.2',
    fit: { kind: 'same-minor' },
    probe: { args: ['version'], pattern: /Cilium ClusterMesh: (\d+\.\d+\.\d+\S*)/ },
    build: {
      module: 'control-plane',
      package: './kvstoremesh',
      cpuSeconds: 180,
      variables: { 'github.com/cilium/cilium/pkg/version.ciliumVersion': '1.20.2' },
    },
  },
  'clustermesh-apiserver': {
    name: 'clustermesh-apiserver',
    version: '1.15.19',
    fit: { kind: 'same-minor' },
    // 1.15 has no way to print its version; Go writes the module's version into every binary.
    probe: {
      args: ['clustermesh', '--help'],
      inBinary:
        /(?:mod|dep)\tgithub\.com\/cilium\/cilium\tv(\d+\.\d+\.\d+)|version\.ciliumVersion=(\d+\.\d+\.\d+)/,
    },
    build: {
      module: 'exporter',
      package: 'github.com/cilium/cilium/clustermesh-apiserver',
      cpuSeconds: 380,
      variables: { 'github.com/cilium/cilium/pkg/version.ciliumVersion': '1.15.19' },
    },
  },
  prometheus: {
    name: 'prometheus',
    version: '3.16.0',
    // The query and discovery features used here are older than 2.40; 2.42 (Debian 12) was tried.
    fit: { kind: 'at-least', version: '2.40.0' },
    probe: { args: ['--version'], pattern: /prometheus, version (\d+\.\d+\.\d+\S*)/ },
    debianPackage: 'prometheus',
    build: {
      module: 'prometheus',
      package: 'github.com/prometheus/prometheus/cmd/prometheus',
      cpuSeconds: 515,
      variables: { 'github.com/prometheus/common/version.Version': '3.16.0' },
    },
    release: githubRelease({
      repository: 'prometheus/prometheus',
      tag: 'v3.16.0',
      file: (os, arch) => `prometheus-3.16.0.${os}-${arch}.tar.gz`,
      member: (os, arch) => `prometheus-3.16.0.${os}-${arch}/prometheus`,
      checksum: 'sha256sums.txt',
    }),
  },
};

function kubernetes(name: Extract<EngineName, `kube-${string}`>, cpuSeconds: number): EngineRecipe {
  const { version, major, minor } = KUBERNETES;
  const versionPackage = 'k8s.io/component-base/version';
  return {
    name,
    version,
    fit: { kind: 'same-minor' },
    probe: { args: ['--version'], pattern: /Kubernetes v(\d+\.\d+\.\d+\S*)/ },
    build: {
      module: 'control-plane',
      package: `k8s.io/kubernetes/cmd/${name}`,
      cpuSeconds,
      // Without them the server calls itself v0.0.0-master+$Format:%H$, which clients fail to parse.
      variables: {
        [`${versionPackage}.gitVersion`]: `v${version}`,
        [`${versionPackage}.gitMajor`]: major,
        [`${versionPackage}.gitMinor`]: minor,
      },
    },
    release: kubernetesRelease(name, version),
  };
}
