import type { Change } from '../change.js';
import { subjectOf } from '../gate.js';

/** A change as people read it, column by column. */
export interface ShownChange {
  readonly state: Change['state'];
  readonly subject: string;
  readonly before: string;
  readonly after: string;
  readonly by: string;
  /** How sure it is: `20 of 20 pairs, 95 %: +3 … +9 ms`. */
  readonly sure: string;
}

/** What changed, worst first. Values that stayed the same are only counted elsewhere. */
export function shownChanges(changes: readonly Change[]): readonly ShownChange[] {
  return changes
    .filter((change) => change.state !== 'same')
    .sort((a, b) => rank(a) - rank(b) || size(b) - size(a))
    .map((change) => ({
      state: change.state,
      subject: subjectOf(change.series),
      before: change.moved === undefined ? '–' : withUnit(change.moved.before, change),
      after: change.moved === undefined ? '–' : withUnit(change.moved.after, change),
      by: byText(change),
      sure: sureText(change),
    }));
}

/** How many changes there are of each state, in the order of their weight. */
export function countText(changes: readonly Change[]): string {
  return [...ORDER, 'same' as const]
    .map((state) => [state, changes.filter((change) => change.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
}

const ORDER: readonly Change['state'][] = ['worse', 'gone', 'better', 'moved', 'new', 'unsure'];

function rank({ state }: Change): number {
  return ORDER.indexOf(state);
}

function size({ share }: Change): number {
  return share === undefined ? 0 : Math.abs(share);
}

function withUnit(value: number, { series }: Change): string {
  return `${short(value)} ${series.unit}`.trim();
}

function byText({ share, moved }: Change): string {
  if (share !== undefined) return `${signed(share * 100)} %`;
  return moved === undefined ? '–' : signed(moved.shift);
}

function sureText({ moved, noise, lost }: Change): string {
  const parts = [
    ...(moved === undefined ? [] : [`${moved.pairs} ${moved.pairs === 1 ? 'pair' : 'pairs'}`]),
    ...(moved?.interval === undefined
      ? []
      : [`95 %: ${signed(moved.interval.low)} … ${signed(moved.interval.high)}`]),
    ...(noise === undefined ? [] : [`noise ±${short(noise * 100)} %`]),
    ...(lost.length === 0 ? [] : [`lost in ${lost.length}`]),
  ];
  return parts.join(', ');
}

function signed(value: number): string {
  return value > 0 ? `+${short(value)}` : short(value);
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
