import { z } from 'zod';
import { durationCodec } from './duration-codec.js';
import { KNOB_NAME, scenarioKnobSchema } from './scenario-knob.js';
import * as shape from './scenario-shape.js';
import { strictObject } from './strict-object.js';

/** The version of `scenario.yaml` that this program reads. */
export const SCENARIO_SCHEMA_VERSION = 1;

/** What stands for a number in a scenario file: the name of one of its knobs. */
export const KNOB_REFERENCE = /^\$\{([A-Za-z][A-Za-z0-9]*)\}$/;

/** Names that every scenario may refer to besides its own knobs; known once the clusters are. */
export const BUILT_IN_KNOBS = ['clusters', 'peers'] as const;

/**
 * A scenario with every `${knob}` replaced by its value. In files durations are text with a unit, in
 * memory milliseconds: read with `parse`, write with `z.encode`.
 */
export const scenarioSchema = strictObject({
  schemaVersion: z.literal(SCENARIO_SCHEMA_VERSION),
  name: shape.kebabName,
  /** In namespaces: `ms-<short>-1`. */
  short: z.string().regex(/^[a-z][a-z0-9]{0,7}$/),
  /** Label `group` of its pods, and test name in report folders and rows. */
  group: shape.kebabName,
  title: z.string().min(1),
  /** The question it answers, in one sentence. */
  question: z.string().min(1),
  needs: z.array(shape.scenarioNeed),
  knobs: z.record(z.string().regex(KNOB_NAME), scenarioKnobSchema),
  objects: z.array(shape.workloadShape),
  phases: z.array(shape.phaseShape).min(1),
  faults: z.array(shape.faultShape),
  probes: z.array(shape.probeShape),
  measurements: z.array(shape.measurementShape),
  verdict: strictObject({ rules: z.array(shape.ruleShape) }),
  /** The most time that the whole run may take. */
  budget: durationCodec,
});

/** A scenario that can be run: no knob reference is left, durations are milliseconds. */
export type Scenario = z.infer<typeof scenarioSchema>;

/** The workload of a scenario: `namespaces × deployments × replicas` pods and their Services. */
export type ScenarioWorkload = Scenario['objects'][number];

/** One step of a scenario on every cluster. */
export type ScenarioPhase = Scenario['phases'][number];

/** What the engine does in a phase. */
export type PhaseAction = ScenarioPhase['action'];

/** A series of probes. */
export type ScenarioProbe = Scenario['probes'][number];

/** A rule of the verdict. */
export type VerdictRule = Scenario['verdict']['rules'][number];
