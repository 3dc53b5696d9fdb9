import type { Programs } from './cluster-facts.js';
import type { EngineName } from './engines/engine-names.js';
import type { MeshSpec } from './state/mesh-file.js';

/** What `up` is asked for. */
export interface UpRequest {
  readonly stateDir: string;
  readonly spec: MeshSpec;
  readonly programs: Programs;
  readonly versions: Readonly<Record<EngineName, string>>;
}
