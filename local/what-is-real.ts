/** What the local mesh plays instead of running. Told by `mesh status` and in every report. */
export const STOOD_IN: readonly string[] = [
  "Cilium's agents: a controller of ours writes the CiliumNode, CiliumIdentity and CiliumEndpoint objects that they would",
  'kubelets and containers: KWOK keeps nodes Ready and says that pods run',
];

/** What no measurement on the local mesh can show; such measurements are not-applicable, never zero. */
export const NOT_SHOWN: readonly string[] = [
  'packets: nothing routes between pods or nodes, so no latency, loss or throughput of a datapath',
  'eBPF: no maps, no policy enforcement, no service translation',
  'image pulls, container starts and resource use of workloads',
  'distance: all links are on loopback unless a delay is set on them',
];
