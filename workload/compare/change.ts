import type { Direction } from './direction.js';
import type { MedianShift } from './median-shift.js';
import type { Series } from './series.js';

/** What became of one value between two runs. */
export interface Change {
  readonly series: Series;
  readonly direction: Direction;
  /**
   * `better` and `worse` are beyond the tolerance, beyond the noise, and sure; `moved` is so for a
   * value of which neither is good. `unsure` is beyond the tolerance and may be chance. `gone` and
   * `new` are in one run only.
   */
  readonly state: 'same' | 'better' | 'worse' | 'moved' | 'unsure' | 'gone' | 'new';
  readonly moved: MedianShift | undefined;
  /** Shift as a share of before; undefined where before is 0 or there is no pair. */
  readonly share: number | undefined;
  /** The largest share that repeated runs of the baseline differ by; undefined: unknown. */
  readonly noise: number | undefined;
  /** Places that had a value before and have none now. */
  readonly lost: readonly string[];
}
