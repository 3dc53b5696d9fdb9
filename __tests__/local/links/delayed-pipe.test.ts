import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { delayedPipe } from '../../../local/links/delayed-pipe.js';
import { createVirtualDelays } from '../../helpers/virtual-delays.js';
import { settled } from '../../helpers/virtual-clock.js';

const setUp = (options: { delay?: number; paused?: boolean; to?: Writable } = {}) => {
  const link = { delay: options.delay ?? 0, paused: options.paused ?? false, bytes: 0 };
  const delays = createVirtualDelays();
  const onResume = new Set<() => void>();
  const from = new PassThrough();
  const arrived: string[] = [];
  let ended = false;
  const to =
    options.to ??
    new Writable({
      write: (chunk: Buffer, _, done) => {
        arrived.push(chunk.toString());
        done();
      },
      final: (done) => {
        ended = true;
        done();
      },
    });
  delayedPipe(from, to, {
    delays,
    delay: () => link.delay,
    paused: () => link.paused,
    onResume,
    onBytes: (count) => (link.bytes += count),
  });
  const resume = (): void => {
    link.paused = false;
    for (const callback of [...onResume]) callback();
  };
  return {
    link,
    delays,
    from,
    to,
    resume,
    onResume,
    text: () => arrived.join(''),
    ended: () => ended,
  };
};

describe('a delayed pipe', () => {
  it('passes everything at once without a delay, and the end too', async () => {
    const { from, text, ended, link } = setUp();
    from.end('hello');
    await settled();
    expect({ text: text(), ended: ended(), bytes: link.bytes }).toEqual({
      text: 'hello',
      ended: true,
      bytes: 5,
    });
  });

  it('holds every byte, and the end, for exactly its delay', async () => {
    const { from, text, ended, delays } = setUp({ delay: 50 });
    from.write('a');
    await settled();
    delays.advance(20);
    from.end('b');
    await settled();
    delays.advance(29);
    expect(text()).toBe('');
    delays.advance(1);
    expect(text()).toBe('a');
    delays.advance(20);
    await settled();
    expect({ text: text(), ended: ended() }).toEqual({ text: 'ab', ended: true });
  });

  it('keeps the order, whatever happens to the delay and the pause in between', async () => {
    const step = fc.oneof(
      fc.record({ write: fc.string({ minLength: 1, maxLength: 5 }) }),
      fc.record({ delay: fc.integer({ min: 0, max: 100 }) }),
      fc.record({ pause: fc.boolean() }),
      fc.record({ advance: fc.integer({ min: 1, max: 60 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { from, link, delays, resume, text, ended } = setUp();
        let written = '';
        for (const one of steps) {
          if ('write' in one) from.write((written += one.write).slice(-one.write.length));
          else if ('delay' in one) link.delay = one.delay;
          else if ('advance' in one) delays.advance(one.advance);
          else if (one.pause) link.paused = true;
          else resume();
          await settled(3);
          expect(written.startsWith(text())).toBe(true);
        }
        from.end();
        resume();
        await settled(3);
        delays.advance(1_000);
        await settled(3);
        expect({ text: text(), ended: ended() }).toEqual({ text: written, ended: true });
      }),
      { numRuns: 60 },
    );
  });

  it('holds the reading side back when too much is under way, and loses nothing', async () => {
    const { from, link, resume, onResume } = setUp({ paused: true });
    const piece = Buffer.alloc(1024 * 1024);
    let accepted = 0;
    for (; accepted < 40; accepted += 1) {
      if (!from.write(piece)) await settled();
      if (from.isPaused()) break;
    }
    expect(accepted).toBeLessThan(20);
    expect(link.bytes).toBe(0);
    resume();
    from.end();
    await settled();
    expect(link.bytes).toBe((accepted + 1) * piece.length);
    expect(onResume.size).toBe(0);
  });

  it('goes on reading as soon as part of a full queue was sent', async () => {
    const { from, delays, link } = setUp({ delay: 10 });
    const half = Buffer.alloc(8 * 1024 * 1024);
    from.write(half);
    await settled();
    delays.advance(5);
    from.write(half);
    await settled();
    expect(from.isPaused()).toBe(true);
    delays.advance(5);
    expect(link.bytes).toBe(half.length);
    expect(from.isPaused()).toBe(false);
  });

  it('waits for a writing side that is full, with one listener only', async () => {
    const pending: (() => void)[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write: (_chunk, _, done) => void pending.push(done),
    });
    const { from, link } = setUp({ to: slow });
    for (let index = 0; index < 50; index += 1) {
      from.write('x');
      await settled(2);
    }
    expect(slow.listenerCount('drain')).toBe(1);
    expect(link.bytes).toBe(1);
    for (let turn = 0; link.bytes < 50 && turn < 500; turn += 1) {
      pending.shift()?.();
      await settled(2);
    }
    expect(link.bytes).toBe(50);
    expect(slow.listenerCount('drain')).toBeLessThanOrEqual(1);
  });
});
