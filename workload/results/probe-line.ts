import { z } from 'zod';
import type { Milliseconds } from '../../model/quantity.js';

/**
 * A line of `probes/<probe>.jsonl`: one probe as one peer saw it. All `t_*_ns` are of the runner's
 * one clock; 0 or nothing: not seen. Fields that we don't know stay in the row as they are.
 * @see data/results-schema.md §2
 */
export const probeLineSchema = z.looseObject({
  probe_id: z.union([z.string(), z.number()]).transform(String),
  src_cluster: z.string(),
  peer_cluster: z.string(),
  /** The scenario's probe id. @default - the name of the file */
  probe: z.string().optional(),
  /** `endpoint-address` or `service-backend`. */
  observe: z.string().optional(),
  phase: z.string().optional(),
  t_apply_ns: z.number().optional(),
  t_peer_ipcache_ns: z.number().optional(),
  t_peer_service_backend_ns: z.number().optional(),
  /** Change made → seen in the peer; null: not within the budget. */
  propagation_ms: z.number().nullish(),
  /** Change undone → gone in the peer; null: not within the budget. */
  removal_ms: z.number().nullish(),
  peer_timed_out: z.union([z.boolean(), z.number()]).optional(),
  /** Why it was not seen. */
  reason: z.string().optional(),
  /** Why it did not go. */
  removal_reason: z.string().optional(),
});

/** One probe as one peer saw it. */
export type ProbeLine = z.infer<typeof probeLineSchema>;

/** A line of `probes/probe-floor.jsonl`: the tool's own share of every propagation time. */
export const floorSampleSchema = z.looseObject({
  cluster: z.string(),
  delta_ms: z.number().nullable(),
});

/** One measurement of the tool's own floor. */
export type FloorSample = z.infer<typeof floorSampleSchema>;

/** Change made → seen by the peer; undefined when the peer did not see it within the budget. */
export function propagationOf(line: ProbeLine): Milliseconds | undefined {
  if (line.propagation_ms !== undefined) return finite(line.propagation_ms);
  if (line.peer_timed_out === true || line.peer_timed_out === 1) return undefined;
  const seen = [line.t_peer_service_backend_ns, line.t_peer_ipcache_ns].find((t) => (t ?? 0) > 0);
  if (seen === undefined || !line.t_apply_ns) return undefined;
  return (seen - line.t_apply_ns) / 1e6;
}

/** Change undone → gone at the peer; undefined when it was not asked for or not seen. */
export function removalOf(line: ProbeLine): Milliseconds | undefined {
  return finite(line.removal_ms);
}

function finite(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
