import type { EngineName } from './engine-names.js';

/** A binary that is ready to run. */
export interface ResolvedEngine {
  readonly name: EngineName;
  /** As the binary itself reports it. */
  readonly version: string;
  /** Absolute. */
  readonly path: string;
  readonly source: EngineSource;
}

/** Where a binary was found, or how it was just installed. */
export type EngineSource = 'explicit' | 'path' | 'cache' | InstalledBy;

/** How a binary came into the cache. */
export type InstalledBy = 'built' | 'downloaded' | 'package';
