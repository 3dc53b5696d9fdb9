import { CATALOGUE } from '../../local/engines/catalogue.js';
import { ENGINE_NAMES, type EngineName } from '../../local/engines/engine-names.js';
import { cacheCorrupt } from '../../local/engines/errors.js';
import { listCache, type CachedThing } from '../../local/engines/list-cache.js';
import { findEngines } from '../../local/engines/resolve-engines.js';
import { fitText } from '../../local/engines/versions.js';
import { bytesText } from '../../model/quantity.js';
import { throwAll } from '../../model/user-error.js';
import type { CommandContext } from './context.js';
import { enginesOf } from './engine-surroundings.js';

/** `engines list`: where each engine comes from, and what the cache holds. */
export async function listEngines(
  context: CommandContext,
  flags: { readonly verify: boolean },
): Promise<void> {
  const engines = enginesOf(context);
  const cache = await listCache(engines, flags.verify ? 'thorough' : 'quick');
  const search = await findEngines(ENGINE_NAMES, engines);
  const rows = ENGINE_NAMES.map((name) => ({
    name,
    wanted: fitText(CATALOGUE[name]),
    ...(search.found.find((engine) => engine.name === name) ?? { source: 'missing' as const }),
  }));
  const size = cache.reduce((sum, thing) => sum + thing.size, 0);
  if (context.wantsJson()) {
    context.output.json({
      schemaVersion: 1,
      engines: rows,
      cacheDir: engines.cacheDir,
      size,
      cache,
    });
  } else {
    for (const line of engineTable(rows)) context.output.data(line);
    for (const line of cacheTable(cache)) context.output.data(line);
    context.output.data(`\n${bytesText(size)} in ${engines.cacheDir}`);
  }
  const corrupt = cache.filter((thing) => flags.verify && thing.state === 'corrupt');
  throwAll([
    ...search.errors,
    ...corrupt.map((thing) => cacheCorrupt(thing.engine, thing.directory)),
  ]);
}

interface EngineRow {
  readonly name: EngineName;
  readonly wanted: string;
  readonly source: string;
  readonly version?: string;
  readonly path?: string;
}

function engineTable(rows: readonly EngineRow[]): readonly string[] {
  const cells = rows.map((row) => [
    row.name,
    row.version ?? '-',
    row.source,
    row.path ?? `wanted: ${row.wanted}`,
  ]);
  return aligned([['engine', 'version', 'from', 'path'], ...cells]);
}

function cacheTable(cache: readonly CachedThing[]): readonly string[] {
  if (cache.length === 0) return [];
  const cells = cache.map((thing) => [
    thing.engine,
    thing.version,
    thing.state,
    bytesText(thing.size),
    thing.directory,
  ]);
  return ['', ...aligned([['cached', 'version', 'state', 'size', 'folder'], ...cells])];
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
