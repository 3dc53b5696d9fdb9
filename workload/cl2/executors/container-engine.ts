import type { UserError } from '../../../model/user-error.js';
import type { Processes, ShortResult } from '../../platform/processes.js';
import { noContainerEngine } from './errors.js';

/** A command line that runs containers: docker's, and podman's, which is the same as far as we use it. */
export interface ContainerEngine {
  readonly name: 'docker' | 'podman';
  /** As its service says. */
  readonly version: string;
  /** Runs one of its commands to its end. */
  run(args: readonly string[]): Promise<EngineAnswer>;
  /** The environment that its command line is run in. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a command of it gave. */
export type EngineAnswer =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly text: string };

/** What looking for one needs. */
export interface EngineSearch {
  readonly processes: Processes;
  /** Ours; a container sees nothing of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Finds docker, otherwise podman: the first that is on PATH and whose service answers. */
export async function findContainerEngine(
  search: EngineSearch,
): Promise<ContainerEngine | UserError> {
  const answers: string[] = [];
  for (const name of ['docker', 'podman'] as const) {
    const engine = engineNamed(name, search);
    const answer = await engine.run(VERSION[name]);
    if (answer.ok) return { ...engine, version: answer.text.trim() };
    answers.push(`${name}: ${answer.text}`);
  }
  return noContainerEngine(answers.join('; '));
}

/** All that answer, for whoever looks for what another one has left. */
export async function answeringEngines(
  search: EngineSearch,
): Promise<readonly Pick<ContainerEngine, 'run'>[]> {
  const found = await Promise.all(
    (['docker', 'podman'] as const).map(async (name) => {
      const engine = engineNamed(name, search);
      return (await engine.run(VERSION[name])).ok ? [engine] : [];
    }),
  );
  return found.flat();
}

function engineNamed(
  name: ContainerEngine['name'],
  { processes, env }: EngineSearch,
): Omit<ContainerEngine, 'version'> {
  const given = Object.entries(env).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  const own = Object.fromEntries(given);
  return {
    name,
    env: own,
    run: async (args) => answerOf(await processes.run({ command: name, args, env: own })),
  };
}

function answerOf(result: ShortResult): EngineAnswer {
  switch (result.state) {
    case 'not-found':
      return { ok: false, text: 'not on PATH' };
    case 'killed':
      return { ok: false, text: `ended by ${result.signal}` };
    case 'ended': {
      if (result.exitCode === 0) return { ok: true, text: result.stdout };
      const said = result.stderr.trim().split('\n').slice(-3).join(' ');
      return { ok: false, text: said === '' ? `ended with ${result.exitCode}` : said };
    }
  }
}

/** Docker's own version is there without its service; that of the service is not. */
const VERSION = {
  docker: ['version', '--format', '{{.Server.Version}}'],
  podman: ['version', '--format', '{{.Client.Version}}'],
} as const;
