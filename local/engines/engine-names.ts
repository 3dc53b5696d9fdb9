/** The programs that a local mesh is made of, in the order in which they are built. */
export const ENGINE_NAMES = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kvstoremesh',
  'clustermesh-apiserver',
  'prometheus',
] as const;

/** One of {@link ENGINE_NAMES}. */
export type EngineName = (typeof ENGINE_NAMES)[number];

/** The environment variable that names an engine's binary: `MESHSCALE_ENGINE_KUBE_APISERVER`. */
export function engineVariable(name: EngineName): string {
  return `MESHSCALE_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`;
}
