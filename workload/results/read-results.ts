import { join } from 'node:path';
import type { z } from 'zod';
import { runVerdictSchema, VERDICT_SCHEMA_VERSION, type RunVerdict } from '../../model/verdict.js';
import { readVersioned } from '../../model/versioned-json.js';
import { readIfThere } from '../platform/files.js';
import { COVERAGE_SCHEMA_VERSION, coverageFileSchema, type CoverageFile } from './coverage-file.js';
import { resultVersion, unreadableResult } from './errors.js';

/** Reads `verdict.json` of a run folder. Throws `UserError` (collect/unreadable, …-version). */
export async function readVerdict(path: string): Promise<RunVerdict> {
  return await readResult(join(path, 'verdict.json'), runVerdictSchema, VERDICT_SCHEMA_VERSION);
}

/** Reads `coverage.json` of a run folder. Throws `UserError` (collect/unreadable, …-version). */
export async function readCoverage(path: string): Promise<CoverageFile> {
  return await readResult(join(path, 'coverage.json'), coverageFileSchema, COVERAGE_SCHEMA_VERSION);
}

async function readResult<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  version: number,
): Promise<z.output<Schema>> {
  const text = await readIfThere(file);
  if (text === undefined) throw unreadableResult(file, 'it is not there');
  const reading = readVersioned(text, schema, version);
  switch (reading.state) {
    case 'read':
      return reading.value;
    case 'other-version':
      throw resultVersion(file, reading);
    case 'broken':
      throw unreadableResult(file, reading.problems.join('; '));
  }
}
