import { describe, expect, it } from '@jest/globals';
import { together } from '../../local/together.js';
import { UserError, userErrorsOf } from '../../model/user-error.js';

const never = new AbortController().signal;
const refusal = (code: string) =>
  new UserError(code, 'infrastructure', { problem: code, next: '' });
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

describe('deeds done together', () => {
  it('give their results in order', async () => {
    const deeds = [() => Promise.resolve(1), () => Promise.resolve(2)];
    expect(await together(never, deeds)).toEqual([1, 2]);
  });

  it('are waited for before a failure is told, so that nothing is still being started', async () => {
    let ended = false;
    const slow = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      ended = true;
    };
    const failing = () => Promise.reject(refusal('mesh/a'));
    await expect(together(never, [failing, slow])).rejects.toThrow('mesh/a');
    expect(ended).toBe(true);
  });

  it('are told to stop when one fails, and what the stopped say is not the error', async () => {
    const failing = () => Promise.reject(refusal('mesh/a'));
    await expect(together(never, [untilAborted, failing])).rejects.toMatchObject({
      code: 'mesh/a',
    });
  });

  it('fail with every user error among them', async () => {
    const error: unknown = await together(never, [
      () => Promise.reject(refusal('mesh/a')),
      () => Promise.reject(refusal('mesh/b')),
    ]).catch((thrown: unknown) => thrown);
    expect(userErrorsOf(error).map(({ code }) => code)).toEqual(['mesh/a', 'mesh/b']);
  });

  it('fail with the reason of their caller when that gives up', async () => {
    const caller = new AbortController();
    const deed = together(caller.signal, [untilAborted]);
    caller.abort(new Error('interrupted by SIGINT'));
    await expect(deed).rejects.toThrow('interrupted by SIGINT');
  });
});
