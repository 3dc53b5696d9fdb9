import { bytesText, type Bytes } from '../../model/quantity.js';
import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';
import type { LockHolder } from '../../workload/platform/lock.js';
import { engineVariable } from './engine-names.js';
import type { EngineRecipe } from './recipe.js';
import { OLDEST_GO, remedies } from './remedies.js';
import { fitText } from './versions.js';

const bad = (meaning: string) => ({ exit: 'infrastructure', meaning }) as const;

/** The errors of finding and installing engines. */
export const engineErrors = errorCatalogue({
  'engine/unknown-name': { exit: 'bad-input', meaning: 'There is no engine of that name.' },
  'engine/bad-url': { exit: 'bad-input', meaning: 'The address given with --url is not one.' },
  'engine/not-installed': bad('The engine is neither on PATH nor in the cache.'),
  'engine/no-toolchain': bad('An engine has to be built and there is no Go.'),
  'engine/go-too-old': bad('An engine has to be built and Go is too old for it.'),
  'engine/build-failed': bad('`go build` of an engine failed.'),
  'engine/not-fitting': bad('What was installed reports a version that does not fit.'),
  'engine/explicit-not-runnable': bad('A binary named by MESHSCALE_ENGINE_… does not run.'),
  'engine/checksum-mismatch': bad('A downloaded file is not the one that was published.'),
  'engine/download-failed': bad('A release file or its checksum could not be fetched.'),
  'engine/no-release-file': bad(
    'The project publishes no release file for this engine or machine.',
  ),
  'engine/unsupported-platform': bad('There are no engines for this kind of machine.'),
  'engine/cache-corrupt': bad('A cached engine is not what was stored.'),
  'engine/cache-unwritable': bad('The cache folder cannot be written.'),
  'engine/disk-short': bad('The disk has too little room to install an engine.'),
  'engine/install-busy': { exit: 'busy', meaning: 'Another meshscale is installing the engine.' },
});

/** A name on the command line that is none of ours. */
export function unknownEngine(
  given: string,
  known: readonly string[],
  nearest: string | undefined,
): UserError {
  return engineErrors.make('engine/unknown-name', {
    problem: 'there is no engine of that name',
    given,
    expected: known.join(', '),
    next: nearest === undefined ? 'use one of these names' : `did you mean ${nearest}?`,
    where: { path: given },
  });
}

/** `--url` is no address. */
export function badUrl(given: string): UserError {
  return engineErrors.make('engine/bad-url', {
    problem: 'the address of the mirror cannot be read',
    given: `--url ${given}`,
    expected: 'an http or https address, to which paths such as /etcd-io/etcd/… are added',
    next: 'correct --url, or leave it out to use the official servers',
  });
}

/** `engines path` of what is nowhere. */
export function notInstalled(recipe: EngineRecipe): UserError {
  return engineErrors.make('engine/not-installed', {
    problem: `${recipe.name} is neither on PATH nor in the cache`,
    expected: `version ${fitText(recipe)}`,
    next: `meshscale engines install ${recipe.name}`,
    where: { path: recipe.name },
  });
}

/** Builds are needed and `go` is not on PATH. */
export function noToolchain(recipes: readonly EngineRecipe[]): UserError {
  return engineErrors.make('engine/no-toolchain', {
    problem: `${names(recipes)} must be built and there is no \`go\` on PATH`,
    next: remedies(recipes),
  });
}

/** Builds are needed and Go is older than the modules want. */
export function goTooOld(recipes: readonly EngineRecipe[], found: string): UserError {
  return engineErrors.make('engine/go-too-old', {
    problem: `${names(recipes)} must be built and Go is too old`,
    given: found,
    expected: `Go ${OLDEST_GO} or later; with GOTOOLCHAIN=auto an older Go fetches it by itself`,
    next: remedies(recipes),
  });
}

/** `go build` ended badly; `tail` is the end of what it said. */
export function buildFailed(recipe: EngineRecipe, tail: string): UserError {
  return engineErrors.make('engine/build-failed', {
    problem: `\`go build\` of ${recipe.name} ${recipe.version} failed`,
    given: tail === '' ? 'it said nothing' : tail,
    next: `is the Go module proxy reachable (go env GOPROXY) and is there disk and memory? What was compiled is kept: running it again goes on from there\n${remedies([recipe])}`,
    where: { path: recipe.name },
  });
}

/** What was built or fetched is not what the recipe promises. */
export function notFitting(recipe: EngineRecipe, found: string): UserError {
  return engineErrors.make('engine/not-fitting', {
    problem: `the installed ${recipe.name} does not report the version it should`,
    given: found,
    expected: `version ${fitText(recipe)}`,
    next: remedies([recipe]),
    where: { path: recipe.name },
  });
}

/** A variable of the user names something that is not the engine. */
export function explicitNotRunnable(recipe: EngineRecipe, path: string, why: string): UserError {
  const variable = engineVariable(recipe.name);
  return engineErrors.make('engine/explicit-not-runnable', {
    problem: `the binary that ${variable} names is not a working ${recipe.name}: ${why}`,
    given: `${variable}=${path}`,
    expected: `a program that answers \`${recipe.name} ${recipe.probe.args.join(' ')}\``,
    next: `correct ${variable}, or unset it to let meshscale find or install ${recipe.name}`,
    where: { path: recipe.name },
  });
}

/** Something on the way changed the file. */
export function checksumMismatch(
  recipe: EngineRecipe,
  url: string,
  sums: { readonly got: string; readonly published: string },
): UserError {
  return engineErrors.make('engine/checksum-mismatch', {
    problem: `the file fetched for ${recipe.name} is not the published one; it was thrown away`,
    given: `${url} with SHA-256 ${sums.got}`,
    expected: `SHA-256 ${sums.published}`,
    next: `run it again; if it stays, the mirror or a proxy changes the file\n${remedies([recipe])}`,
    where: { path: recipe.name },
  });
}

/** No answer, a refusal, or an answer that makes no sense. */
export function downloadFailed(recipe: EngineRecipe, url: string, why: string): UserError {
  return engineErrors.make('engine/download-failed', {
    problem: `${recipe.name} could not be fetched: ${why}`,
    given: url,
    next: `check the network (HTTPS_PROXY is honoured) or name a mirror by --url\n${remedies([recipe])}`,
    where: { path: recipe.name },
  });
}

/** There is nothing to download, for any machine or for this one. */
export function noReleaseFile(recipe: EngineRecipe, machine: string): UserError {
  const problem =
    recipe.release === undefined
      ? `${recipe.name} is published as a container image only, there is no release file`
      : `there is no release file of ${recipe.name} for ${machine}`;
  return engineErrors.make('engine/no-release-file', {
    problem,
    next: `build it: \`meshscale engines install ${recipe.name} --from build\`\n${remedies([recipe])}`,
    where: { path: recipe.name },
  });
}

/** Neither Linux nor macOS, or another processor. */
export function unsupportedPlatform(found: string): UserError {
  return engineErrors.make('engine/unsupported-platform', {
    problem: 'engines exist for Linux and macOS on x64 and arm64',
    given: found,
    next: 'run meshscale on such a machine (on Windows: in WSL 2), or use --target kubeconfig',
  });
}

/** `engines list --verify` found other bytes than were stored. */
export function cacheCorrupt(name: string, directory: string): UserError {
  return engineErrors.make('engine/cache-corrupt', {
    problem: `the cached ${name} is not what was stored`,
    given: directory,
    next: `meshscale engines install ${name} replaces it`,
    where: { path: name },
  });
}

/** The system refused a write below the cache folder. */
export function cacheUnwritable(directory: string, cause: unknown): UserError {
  return engineErrors.make('engine/cache-unwritable', {
    problem: `the engine cache cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    given: directory,
    expected: 'a folder that this user can write',
    next: 'set MESHSCALE_CACHE to such a folder, or correct the rights of this one',
    cause,
  });
}

/** Told before anything is written. */
export function diskShort(directory: string, free: Bytes, needed: Bytes, what: string): UserError {
  return engineErrors.make('engine/disk-short', {
    problem: `the disk of ${directory} has too little room for ${what}`,
    given: `${bytesText(free)} free`,
    expected: `${bytesText(needed)} free`,
    next: 'make room (`meshscale engines clean`, `go clean -cache`), or move the folders: MESHSCALE_CACHE, GOCACHE, GOMODCACHE',
  });
}

/** Waited the whole budget for another installer. */
export function installBusy(recipe: EngineRecipe, holder: LockHolder): UserError {
  return engineErrors.make('engine/install-busy', {
    problem: `process ${holder.pid} on ${holder.host} has been installing ${recipe.name} all the time`,
    next: `wait for it, or end it when it hangs: its lock goes with it`,
    where: { path: recipe.name },
  });
}

function names(recipes: readonly EngineRecipe[]): string {
  return recipes.map((recipe) => recipe.name).join(', ');
}
