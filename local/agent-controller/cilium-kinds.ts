/** The three kinds that agents write. */
export type CiliumKind = 'CiliumNode' | 'CiliumIdentity' | 'CiliumEndpoint';

/** What is told apart by kind. */
export interface KindFacts {
  readonly kind: CiliumKind;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The field, beside the metadata, that says everything. */
  readonly payload: 'spec' | 'security-labels' | 'status';
}

/** The group and version that Cilium 1.15 … 1.20 agents write. */
export const CILIUM_API = 'cilium.io/v2';

export const CILIUM_KINDS: Readonly<Record<CiliumKind, KindFacts>> = {
  CiliumNode: { kind: 'CiliumNode', plural: 'ciliumnodes', namespaced: false, payload: 'spec' },
  CiliumIdentity: {
    kind: 'CiliumIdentity',
    plural: 'ciliumidentities',
    namespaced: false,
    payload: 'security-labels',
  },
  CiliumEndpoint: {
    kind: 'CiliumEndpoint',
    plural: 'ciliumendpoints',
    namespaced: true,
    payload: 'status',
  },
};

/** The path of all objects of a kind, in every namespace. */
export function collectionPath(kind: CiliumKind, namespace?: string): string {
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `/apis/${CILIUM_API}${scope}/${CILIUM_KINDS[kind].plural}`;
}
