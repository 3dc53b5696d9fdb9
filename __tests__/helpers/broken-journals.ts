import type { Journal } from '../../workload/exec/journal.js';

/** A journal that is refused from its n-th append on. */
export function fullAt(line: number, real: Journal): Journal {
  let count = 0;
  return {
    append: async (...events) => {
      count += 1;
      if (count < line) await real.append(...events);
      else throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    },
  };
}

/** A journal that never comes back from its n-th append: what a killed process would have done. */
export function dieAt(line: number, real: Journal): { journal: Journal; dead: Promise<void> } {
  let count = 0;
  let die = (): void => undefined;
  const dead = new Promise<void>((resolve) => {
    die = resolve;
  });
  const append: Journal['append'] = async (...given) => {
    count += 1;
    if (count < line) {
      await real.append(...given);
      return;
    }
    die();
    await new Promise(() => undefined);
  };
  return { journal: { append }, dead };
}
