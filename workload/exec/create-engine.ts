import type { Cl2Outcome } from '../../model/cl2-outcome.js';
import type { RunPlan } from '../../model/run-plan.js';
import type { ClusterConnection } from '../inventory/cluster-connection.js';
import type { ClusterEngine } from '../native/cluster-engine.js';
import { createNativeEngine } from '../native/native-engine.js';
import type { ObjectSetting } from '../native/objects.js';
import type { Clock } from '../platform/clock.js';
import type { AttemptPaths } from './run-paths.js';

/** What an engine of one attempt on one cluster is made of. */
export interface EngineRequest {
  readonly plan: RunPlan;
  readonly connection: ClusterConnection;
  readonly places: AttemptPaths;
  /** The run's folder for secrets; made when somebody needs it. */
  readonly secret: string;
  readonly clock: Clock;
  /** A line for the attempt's log. */
  readonly log: (line: string) => void;
  /** A resumed attempt: go on with what an earlier runner started, where that can be. @default false */
  readonly reattach?: boolean | undefined;
  /** Told how an engine ended that has its own ways of ending; stands in `outcome.json`. */
  readonly onOutcome: (outcome: Cl2Outcome) => void;
}

/** Makes the engine of an attempt; starts nothing. */
export type CreateEngine = (request: EngineRequest) => ClusterEngine;

/** Our own engine. */
export const nativeEngine: CreateEngine = ({ plan, connection, clock }) =>
  createNativeEngine({ client: connection.kube, clock, objects: objectsOf(plan) });

/** The workload of a plan. */
export function objectsOf({ runId, scenario }: RunPlan): ObjectSetting {
  const [workload] = scenario.objects;
  if (workload === undefined) throw new Error(`scenario ${scenario.name} has no workload`);
  return { runId, scenario, workload };
}
