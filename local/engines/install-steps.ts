import type { CacheManifest } from './cache-manifest.js';

/** What a way of installing tells after it has put `<name>` into its folder. */
export type Filled = Pick<CacheManifest, 'source' | 'key' | 'origin'>;
