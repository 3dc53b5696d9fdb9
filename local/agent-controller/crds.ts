/** A CustomResourceDefinition, as much of it as we write. */
export interface ResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * The four kinds that the exporter waits for. Their schemas let everything through: what we write is
 * checked against Cilium's own definitions by hand when either changes. There is no status subresource,
 * as in Cilium's own for CiliumEndpoint, so that an endpoint is one write. CiliumExternalWorkload stays
 * empty; CiliumEndpointSlice is not there, for the exporter (1.15) reads endpoints.
 */
export function ciliumResourceDefinitions(): readonly ResourceDefinition[] {
  return KINDS.map(({ kind, plural, shortNames, scope, columns }) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames,
        categories: ['cilium'],
      },
      versions: [
        {
          name: 'v2',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: ANYTHING },
          additionalPrinterColumns: columns,
        },
      ],
    },
  }));
}

const GROUP = 'cilium.io';
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  /** What `kubectl get` shows. */
  readonly columns: readonly { name: string; type: string; jsonPath: string }[];
}

const KINDS: readonly Kind[] = [
  {
    kind: 'CiliumNode',
    plural: 'ciliumnodes',
    shortNames: ['cn', 'ciliumn'],
    scope: 'Cluster',
    columns: [
      {
        name: 'CiliumInternalIP',
        type: 'string',
        jsonPath: '.spec.addresses[?(@.type=="CiliumInternalIP")].ip',
      },
      {
        name: 'InternalIP',
        type: 'string',
        jsonPath: '.spec.addresses[?(@.type=="InternalIP")].ip',
      },
    ],
  },
  {
    kind: 'CiliumIdentity',
    plural: 'ciliumidentities',
    shortNames: ['ciliumid'],
    scope: 'Cluster',
    columns: [
      {
        name: 'Namespace',
        type: 'string',
        jsonPath: '.metadata.labels.io\\.kubernetes\\.pod\\.namespace',
      },
    ],
  },
  {
    kind: 'CiliumEndpoint',
    plural: 'ciliumendpoints',
    shortNames: ['cep', 'ciliumep'],
    scope: 'Namespaced',
    columns: [
      { name: 'Security Identity', type: 'integer', jsonPath: '.status.identity.id' },
      { name: 'Endpoint State', type: 'string', jsonPath: '.status.state' },
      { name: 'IPv4', type: 'string', jsonPath: '.status.networking.addressing[0].ipv4' },
    ],
  },
  {
    kind: 'CiliumExternalWorkload',
    plural: 'ciliumexternalworkloads',
    shortNames: ['cew'],
    scope: 'Cluster',
    columns: [],
  },
];
