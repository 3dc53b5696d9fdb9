import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../workload/platform/random.js';
import type { CliResult, RunningCli } from '../helpers/cli.js';
import { createLocalMesh, type LocalMesh } from '../helpers/local-mesh.js';

/** Another one by MESHSCALE_TEST_SEED; the one that was used is printed. */
const SEED = Number(process.env['MESHSCALE_TEST_SEED'] ?? 20);
const ROUNDS = 20;
/** A round is a deed that is killed, a look, and the way back, on a machine that may be busy. */
const ROUND_BUDGET = 600_000;

const random = seededRandom(SEED);
const told: string[] = [];
let mesh: LocalMesh;
/**
 * How long the last whole deed of each kind took from its first word to its end: the moment of a kill
 * is within it, because a process that is still loading has not begun anything.
 */
const took = { up: 12_000, down: 2_000 };

beforeAll(async () => {
  mesh = await createLocalMesh();
});
afterAll(async () => {
  await mesh.remove();
  process.stderr.write(`seed ${SEED}\n${told.join('\n')}\n`);
}, ROUND_BUDGET);

const rounds = Array.from({ length: ROUNDS }, (_, index) => ({
  round: index + 1,
  deed: random.integer(0, 2) === 0 ? ('down' as const) : ('up' as const),
  part: random.integer(1, 99) / 100,
  wayBack: random.integer(0, 1) === 0 ? ('up' as const) : ('down' as const),
}));

describe('a mesh whose meshscale is killed with SIGKILL', () => {
  it.each(rounds)(
    'round $round: recovers by $wayBack from a kill at $part of $deed',
    async ({ round, deed, part, wayBack }) => {
      if (deed === 'down') await wholeUp();
      else await wholeDown(await mesh.ports());
      const moment = await killed(deed, part);
      const status = await look();
      const ports = await mesh.ports();
      const back = wayBack === 'up' ? await wholeUp() : await wholeDown(ports);
      told.push(`${round} ${deed} killed at ${moment}; status: ${status}; ${wayBack}: ${back}`);
    },
    ROUND_BUDGET,
  );

  it(
    'leaves nothing after the last `down`',
    async () => {
      await wholeUp();
      await wholeDown(await mesh.ports());
    },
    ROUND_BUDGET,
  );
});

/** Starts the deed, kills it at that part of its usual work; gives the last line that it said. */
async function killed(deed: Deed, part: number): Promise<string> {
  const running = start(deed);
  let timer: NodeJS.Timeout | undefined;
  running.child.stderr?.once('data', () => {
    timer = setTimeout(() => running.child.kill('SIGKILL'), part * took[deed]);
  });
  const { code } = await running.ended;
  clearTimeout(timer);
  const last = running.text().trim().split('\n').at(-1) ?? '';
  const moment = code === null ? `after "${last}"` : 'when it had ended';
  return `${Math.round(part * took[deed])} ms, ${moment}`;
}

type Deed = keyof typeof took;

function start(deed: Deed): RunningCli {
  return deed === 'up' ? mesh.startUp('--clusters', '2', '--nodes', '3') : mesh.startDown();
}

/** Runs the deed to its good end; gives the time since its first word. */
async function whole(deed: Deed): Promise<number> {
  const running = start(deed);
  let firstWord = Date.now();
  running.child.stderr?.once('data', () => {
    firstWord = Date.now();
  });
  expectGood(await running.ended);
  return Date.now() - firstWord;
}

/** Whatever is there, status tells it in words: complete (0) or not (5), never a defect. */
async function look(): Promise<string> {
  const document: unknown = await mesh.status();
  if (typeof document === 'object' && document !== null && 'errors' in document) {
    expect(JSON.stringify(document)).toContain('mesh/not-there');
    return 'not there';
  }
  const { state, unrecorded } = await mesh.status();
  expect(['complete', 'incomplete', 'unwell']).toContain(state);
  return `${state}${unrecorded.length === 0 ? '' : ` with ${unrecorded.length} unrecorded`}`;
}

async function wholeUp(): Promise<string> {
  const fresh = (await mesh.ports()).length === 0;
  const elapsed = await whole('up');
  if (fresh) took.up = elapsed;
  await expectComplete();
  return `complete after ${(elapsed / 1_000).toFixed(1)} s`;
}

async function expectComplete(): Promise<void> {
  const { state, components, links } = await mesh.status();
  const unwell = [
    ...components.filter((one) => one.state !== 'running'),
    ...links.filter((one) => one.state !== 'synced'),
  ];
  expect({ state, unwell }).toEqual({ state: 'complete', unwell: [] });
}

async function wholeDown(ports: readonly number[]): Promise<string> {
  const elapsed = await whole('down');
  if (ports.length > 0) took.down = elapsed;
  expect(await mesh.leftovers(ports)).toEqual([]);
  return 'nothing left';
}

function expectGood(result: CliResult): void {
  if (result.code !== 0) throw new Error(`exit ${result.code ?? 'by signal'}: ${result.stderr}`);
}
