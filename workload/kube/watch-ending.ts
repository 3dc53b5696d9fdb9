import type { Dispatcher } from 'undici';
import { asError, deferred } from './deferred.js';
import type { WatchEnd } from './kube-client.js';

/** The one end that a watch has, whoever comes first: server, caller, network or a handler. */
export interface WatchEnding {
  readonly ended: Promise<WatchEnd>;
  over(): boolean;
  readonly started: (controller: Dispatcher.DispatchController) => void;
  readonly finish: (end: WatchEnd) => void;
  /** Runs a handler of the caller's; what it throws ends the watch and reaches the caller. */
  readonly guard: (call: () => void) => void;
}

/** A watch that has not ended. */
export function createEnding(): WatchEnding {
  let controller: Dispatcher.DispatchController | undefined;
  let over = false;
  const end = deferred<WatchEnd>();
  const settle = (how: () => void): void => {
    if (over) return;
    over = true;
    how();
    controller?.abort(ENDED);
  };
  return {
    ended: end.promise,
    over: () => over,
    started: (given) => {
      controller = given;
      if (over) given.abort(ENDED);
    },
    finish: (given) => {
      settle(() => {
        end.resolve(given);
      });
    },
    guard: (call) => {
      try {
        if (!over) call();
      } catch (error) {
        settle(() => {
          end.reject(asError(error));
        });
      }
    },
  };
}

const ENDED = new Error('the watch has ended');
