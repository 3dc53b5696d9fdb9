import type { ComponentName } from '../component.js';
import { MESH_ROLE } from '../state/paths.js';

/** What every cluster consists of. */
const CLUSTER_COMPONENTS: readonly ComponentName[] = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'agent-controller',
  'mesh-etcd',
  'clustermesh-apiserver',
  'kvstoremesh',
];

/** What all clusters share. */
const SHARED_COMPONENTS: readonly ComponentName[] = ['link-relay', 'prometheus'];

/** Every process that a mesh of these clusters should have. */
export function componentsOf(
  roles: readonly string[],
): readonly { readonly role: string; readonly name: ComponentName }[] {
  return [
    ...roles.flatMap((role) => CLUSTER_COMPONENTS.map((name) => ({ role, name }))),
    ...SHARED_COMPONENTS.map((name) => ({ role: MESH_ROLE, name })),
  ];
}
