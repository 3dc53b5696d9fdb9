import type { NetworkMode } from '../model/network-limits.js';
import type { ITerraformDependable } from './cdk.js';

/** What connects the networks of clusters; a Fleet mesh is made after it and gone before it. */
export interface IMeshNetwork {
  readonly mode: NetworkMode | 'existing';
  /** Resources after which packets flow. */
  readonly connected: readonly ITerraformDependable[];
}
