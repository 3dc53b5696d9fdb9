/**
 * Labels and annotations that every scenario's objects carry, whichever engine writes them.
 * @see data/scenarios.md §1
 */
export const OBJECT_CONVENTIONS = {
  /** Whose object it is; clean-up selects by these two. @see contracts.md §1 */
  managedByLabel: 'app.kubernetes.io/managed-by',
  managedByValue: 'meshscale',
  runLabel: 'meshscale/run',
  /** Pods, Deployments and Services of one Deployment share `name`; the Service selects by it. */
  nameLabel: 'name',
  appLabel: 'app',
  /** The same in every object of a scenario; waits select by it. */
  groupLabel: 'group',
  /** A pod template annotation; another value makes every pod of the Deployment anew. */
  restartGenerationAnnotation: 'restart-generation',
} as const;

/** `ms-et-1`: the n-th namespace of a scenario, counted from 1. */
export function scenarioNamespace(short: string, number: number): string {
  return `ms-${short}-${number}`;
}
