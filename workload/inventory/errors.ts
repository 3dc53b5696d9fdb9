import { errorCatalogue } from '../../model/error-catalogue.js';
import type { ErrorPlace, UserError } from '../../model/user-error.js';

/** What can be wrong with the clusters that a run is given. */
export const inventoryErrors = errorCatalogue({
  'inventory/unreadable': {
    exit: 'bad-input',
    meaning: 'The inventory file is not there, is not JSON, or has a field that is wrong.',
  },
  'inventory/unknown-version': {
    exit: 'bad-input',
    meaning: 'The inventory file was written by another release.',
  },
  'inventory/no-contexts': {
    exit: 'bad-input',
    meaning: '--target kubeconfig needs the contexts of the clusters.',
  },
  'inventory/bad-service': {
    exit: 'bad-input',
    meaning: 'The Service of Prometheus is not given as namespace/name:port.',
  },
  'inventory/access-elsewhere': {
    exit: 'bad-input',
    meaning: 'The inventory names clusters that this release cannot reach.',
  },
  'inventory/no-stack': {
    exit: 'bad-input',
    meaning: 'No folder of a synthesized stack was given or found.',
  },
  'inventory/no-outputs': {
    exit: 'infrastructure',
    meaning: 'Terraform gives no inventory for the stack.',
  },
  'inventory/bad-tag': {
    exit: 'bad-input',
    meaning: 'A tag by which clusters are to be found is not of the form name=value.',
  },
  'inventory/not-discovered': {
    exit: 'infrastructure',
    meaning: 'Clusters cannot be found by their tags, or not be told apart.',
  },
  'inventory/no-credentials': {
    exit: 'infrastructure',
    meaning: 'AKS gives no usable credentials for a cluster.',
  },
  'inventory/unreachable': {
    exit: 'infrastructure',
    meaning: 'The API server of a cluster does not answer, or does not accept us.',
  },
  'inventory/credentials-expired': {
    exit: 'infrastructure',
    meaning: 'The API server of a cluster does not accept our credentials (401).',
  },
  'inventory/same-id': {
    exit: 'infrastructure',
    meaning: 'Two clusters have the same Cilium id; a mesh needs unique ones.',
  },
  'inventory/same-name': {
    exit: 'infrastructure',
    meaning: 'Two clusters have the same Cilium name; a mesh needs unique ones.',
  },
  'inventory/overlapping-ranges': {
    exit: 'infrastructure',
    meaning: 'The address ranges of two clusters overlap, so their pods cannot be told apart.',
  },
  'inventory/mixed-versions': {
    exit: 'infrastructure',
    meaning: 'A component is of different releases in different clusters.',
  },
  'inventory/other-mesh-ca': {
    exit: 'infrastructure',
    meaning: 'The clusters do not have the same CA of the mesh.',
  },
  'inventory/not-connected': {
    exit: 'infrastructure',
    meaning: 'A cluster has not synchronised what another one exports.',
  },
});

/** The file of `--inventory` is not one. */
export const inventoryUnreadable = (where: ErrorPlace, problem: string): UserError =>
  inventoryErrors.make('inventory/unreadable', {
    problem: `the inventory cannot be read: ${problem}`,
    where,
    expected: 'the output "inventory" of Terraform, or the inventory of another meshscale command',
    next: 'write it again, or correct the file at this place',
  });

/** The file is of another release. */
export const inventoryVersion = (file: string, given: string, known: string): UserError =>
  inventoryErrors.make('inventory/unknown-version', {
    problem: 'this release does not know the version of the inventory',
    where: { file },
    given,
    expected: known,
    next: 'write it again with this release, or use the release that wrote it',
  });

/** A way of access that belongs to another release. */
export const accessElsewhere = (role: string, kind: string): UserError =>
  inventoryErrors.make('inventory/access-elsewhere', {
    problem: `${role} is reached by "${kind}", which this release cannot`,
    given: kind,
    expected: 'local or kubeconfig',
    next: 'get a kubeconfig of the cluster and give --target kubeconfig --contexts',
  });

/** No answer, or a refusal. */
export const unreachable = (role: string, given: string, next: string): UserError =>
  inventoryErrors.make('inventory/unreachable', {
    problem: `the API server of ${role} cannot be used`,
    where: { path: role },
    given,
    next,
  });

/** The API server answers and does not know us. */
export const notAccepted = (role: string, given: string): UserError =>
  inventoryErrors.make('inventory/credentials-expired', {
    problem: `the API server of ${role} does not accept our credentials`,
    where: { path: role },
    given,
    next: 'log in again, or fetch the kubeconfig again with the tool that made it',
  });

/** Ids and names are what a mesh tells clusters apart by. */
export const sameIdentity = (
  what: 'id' | 'name',
  value: string,
  roles: readonly string[],
): UserError =>
  inventoryErrors.make(`inventory/same-${what}`, {
    problem: `${roles.join(' and ')} have the same Cilium cluster ${what}`,
    where: { path: roles.join('--') },
    given: value,
    expected: `a ${what} of its own for each cluster`,
    next: 'a mesh of these clusters cannot work: install Cilium anew in all but one of them',
  });

/** Pod or node ranges of two clusters. */
export const overlapping = (one: string, other: string, ranges: string): UserError =>
  inventoryErrors.make('inventory/overlapping-ranges', {
    problem: `address ranges of ${one} and ${other} overlap`,
    where: { path: `${one}--${other}` },
    given: ranges,
    expected: 'ranges of pods and nodes that no two clusters share',
    next: 'leave one of the clusters out, or build it with other ranges',
  });

/** A component that is not the same everywhere. */
export const mixedVersions = (
  component: string,
  known: readonly { readonly role: string; readonly version: string }[],
): UserError =>
  inventoryErrors.make('inventory/mixed-versions', {
    problem: `${component} is not of one release in all clusters`,
    where: { path: component },
    given: grouped(known.map(({ role, version }) => ({ role, value: version }))),
    expected: 'one release everywhere: what is measured would be of several',
    next: `bring ${component} to one release, or name only the clusters that have the same`,
  });

/** CAs of the mesh that are not one. */
export const otherMeshCa = (
  known: readonly { readonly role: string; readonly fingerprint: string }[],
): UserError =>
  inventoryErrors.make('inventory/other-mesh-ca', {
    problem: 'the clusters do not have one CA of the mesh',
    given: grouped(known.map(({ role, fingerprint }) => ({ role, value: fingerprint }))),
    expected: 'one fingerprint of ca.crt in the Secret cilium-ca everywhere',
    next: 'copy the Secret cilium-ca of one cluster to the others and make the certificates anew',
  });

/** `1.18.2: mesh-001, mesh-003` in a line each. */
function grouped(values: readonly { readonly role: string; readonly value: string }[]): string {
  const roles = new Map<string, string[]>();
  for (const { role, value } of values) roles.set(value, [...(roles.get(value) ?? []), role]);
  return [...roles].map(([value, same]) => `${value}: ${same.join(', ')}`).join('\n');
}

/** A peer is missing, as seen from a reader. */
export const notConnected = (
  source: string,
  reader: string,
  given: string,
  expected = `cilium/synced/${source} in the mesh etcd of ${reader}`,
): UserError =>
  inventoryErrors.make('inventory/not-connected', {
    problem: `${reader} has not synchronised ${source}`,
    where: { path: `${source}--${reader}` },
    given,
    expected,
    next: `look at the kvstoremesh of ${reader} and the clustermesh-apiserver of ${source}`,
  });

/** No stack to ask. */
export const noStack = (given: string, found: readonly string[]): UserError =>
  inventoryErrors.make('inventory/no-stack', {
    problem: 'it is not known which stack is meant',
    given,
    expected:
      found.length === 0
        ? 'a folder with a synthesized stack, such as cdktf.out/stacks/mesh'
        : `one of ${found.join(', ')}`,
    next: 'give --stack DIR, or --tag meshscale=<name> to look for the clusters themselves',
  });

/** Terraform has failed, or has no such output. */
export const noOutputs = (stack: string, given: string): UserError =>
  inventoryErrors.make('inventory/no-outputs', {
    problem: 'Terraform gives no inventory for this stack',
    where: { path: stack },
    given,
    expected: 'an output "inventory", which is there after a deploy',
    next: 'deploy the stack, or look for the clusters themselves with --tag meshscale=<name>',
  });

/** A tag that cannot be read. */
export const badTag = (given: string): UserError =>
  inventoryErrors.make('inventory/bad-tag', {
    problem: 'this is no tag',
    where: { path: '--tag' },
    given,
    expected: 'name=value, such as meshscale=mesh',
    next: 'correct it',
  });

/** Tags that find nothing, or not one mesh. */
export const notDiscovered = (given: string, expected: string, next: string): UserError =>
  inventoryErrors.make('inventory/not-discovered', {
    problem: 'no mesh can be made of the clusters with these tags',
    given,
    expected,
    next,
  });

/** AKS has answered, but with nothing to log in by. */
export const noCredentials = (role: string, given: string): UserError =>
  inventoryErrors.make('inventory/no-credentials', {
    problem: `AKS gives no usable credentials for ${role}`,
    where: { path: role },
    given,
    next: 'look whether the cluster is there, and for the role "Azure Kubernetes Service Cluster User"',
  });
