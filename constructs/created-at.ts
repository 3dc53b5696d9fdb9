import { Construct, DataResource } from './cdk.js';
import { addressOf, stableName, template, type Expression } from './expressions.js';

/**
 * The time of the first apply, kept in the state: later plans show no change by it. For tags and
 * outputs that speak of time; the clock of the synth would make each synth another one.
 */
export class CreatedAt extends Construct {
  /** Bare expression of the time (RFC 3339, UTC). */
  readonly time: Expression;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const kept = new DataResource(this, 'kept', { lifecycle: { ignoreChanges: ['input'] } });
    kept.addOverride('input', template('plantimestamp()'));
    kept.overrideLogicalId(stableName(this));
    this.time = `${addressOf(kept)}.output`;
  }

  /** Bare expression of the time `duration` later; `duration` is a bare expression such as `"48h"`. */
  plus(duration: Expression): Expression {
    return `timeadd(${this.time}, ${duration})`;
  }
}
