import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  IDENTITIES,
  actualAndDesired,
  bench,
  comeToRest,
  killAll,
  podPath,
  putNamespace,
  putNode,
  putPod,
  start,
  type Bench,
} from './agent-bench.js';

afterEach(killAll);

describe('the agent controller', () => {
  it('comes to what the pods ask for, whatever happens and wherever it is killed', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), tryScript), {
      numRuns: 100,
    });
  }, 60_000);
});

type Step =
  | { readonly do: 'pod'; name: string; app: string; ip: string | undefined }
  | { readonly do: 'no-pod' | 'no-node'; name: string }
  | { readonly do: 'node'; name: string; ip: string }
  | { readonly do: 'team'; team: string }
  | { readonly do: 'kill' }
  | { readonly do: 'expire' | 'refuse' | 'lose' | 'calm' }
  | { readonly do: 'wait'; ms: number };

type Deed = Exclude<Step, { do: 'kill' }>;

const pick = fc.constantFrom;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant<'pod'>('pod'),
      name: pick('a', 'b', 'c', 'd'),
      app: pick('web', 'db'),
      ip: fc.option(pick('10.3.16.1', '10.3.16.2', '10.3.16.3'), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant<'no-pod'>('no-pod'),
      name: pick('a', 'b', 'c', 'd'),
    }),
  },
  fc.record({ do: fc.constant<'no-node'>('no-node'), name: pick('n', 'm') }),
  fc.record({
    do: fc.constant<'node'>('node'),
    name: pick('n', 'm'),
    ip: pick('10.3.0.4', '10.3.0.5'),
  }),
  fc.record({ do: fc.constant<'team'>('team'), team: pick('red', 'blue') }),
  { weight: 2, arbitrary: fc.constant({ do: 'kill' as const }) },
  fc.record({ do: pick('expire', 'refuse', 'lose', 'calm') }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant<'wait'>('wait'), ms: pick(0, 150, 1_500) }) },
);

async function tryScript(script: readonly Step[]): Promise<void> {
  const at = bench();
  putNamespace(at.kube, 'shop', 'red');
  let run = start(at);
  for (const one of script) {
    if (one.do === 'kill') {
      await run.kill();
      run = start(at);
    } else await act(at, one);
  }
  at.kube.interfere = () => 'pass';
  await comeToRest(at);
  const { actual, desired } = actualAndDesired(at);
  expect(actual).toEqual(desired);
  for (const { metadata } of at.kube.all(IDENTITIES)) {
    expect(Number(metadata.name) >> 16).toBe(3);
  }
  await run.kill();
}

async function act({ kube, clock }: Bench, one: Deed): Promise<void> {
  switch (one.do) {
    case 'pod':
      putPod(kube, one.name, one.app, one.ip);
      return;
    case 'no-pod':
      kube.remove(podPath(one.name));
      return;
    case 'node':
      putNode(kube, one.name, one.ip);
      return;
    case 'no-node':
      kube.remove(`/api/v1/nodes/${one.name}`);
      return;
    case 'team':
      putNamespace(kube, 'shop', one.team);
      return;
    case 'expire':
      kube.breakWatches({ reason: 'expired' });
      return;
    case 'refuse':
      kube.interfere = everyOther('refuse');
      return;
    case 'lose':
      kube.interfere = everyOther('lose-answer');
      return;
    case 'wait':
      await clock.advance(one.ms);
      return;
    case 'calm':
      kube.interfere = () => 'pass';
  }
}

function everyOther(what: 'refuse' | 'lose-answer'): () => 'pass' | typeof what {
  let count = 0;
  return () => {
    count += 1;
    return count % 2 === 0 ? 'pass' : what;
  };
}
