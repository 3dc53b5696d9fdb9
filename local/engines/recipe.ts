import type { EngineName } from './engine-names.js';

/** A machine that engines can run on, in Go's words. */
export interface Platform {
  readonly os: 'linux' | 'darwin';
  readonly arch: 'amd64' | 'arm64';
}

/** Which versions other than ours will do. */
export type Fit =
  /** Major and minor number as in the recipe. */
  | { readonly kind: 'same-minor' }
  /** `version` or later, and before `below`. */
  | { readonly kind: 'at-least'; readonly version: string; readonly below?: string };

/** How a binary is asked for its version; the first group that matched is the version. */
export type VersionProbe =
  | { readonly args: readonly string[]; readonly pattern: RegExp }
  /** The program prints none: it only has to run, and the version is read from the file. */
  | { readonly args: readonly string[]; readonly inBinary: RegExp };

/** How an engine is built from Go modules. */
export interface BuildRecipe {
  /** A folder in `engines/` with `go.mod` and `go.sum`. */
  readonly module: 'control-plane' | 'exporter' | 'prometheus';
  /** The main package: an import path, or `./folder` in the module. */
  readonly package: string;
  /** CPU seconds with empty Go caches, after the engines before it in the same module. */
  readonly cpuSeconds: number;
  /** Variables that the linker sets (`-X`). @default - none */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Where a project publishes an engine and its checksum. Paths are without the host. */
export interface ReleaseRecipe {
  /** `https://…` without a trailing slash. `--url` takes its place. */
  readonly origin: string;
  readonly file: (platform: Platform) => string;
  readonly checksum: ChecksumRecipe;
  /** Path in the .tar.gz. @default - the file is the program itself */
  readonly member?: (platform: Platform) => string;
  /** Machines that files are published for, as this tool can use them. */
  readonly systems: readonly Platform['os'][];
}

/** Where the SHA-256 of a release file is published. `origin` also gives way to `--url`. */
export interface ChecksumRecipe {
  readonly origin: string;
  readonly path: (platform: Platform) => string;
  /** Only the sum, lines of `<sum>  <file>`, or GitHub's JSON record of a release. */
  readonly format: 'bare' | 'lines' | 'github-digest';
}

/** All that is known of one engine. */
export interface EngineRecipe {
  readonly name: EngineName;
  /** What is installed. */
  readonly version: string;
  readonly fit: Fit;
  readonly probe: VersionProbe;
  readonly build: BuildRecipe;
  /** @default - the project publishes container images only */
  readonly release?: ReleaseRecipe;
  /** Taken before a build where apt works. @default - none that fits */
  readonly debianPackage?: string;
}
