import { bytesText, MIB, type Bytes } from '../../model/quantity.js';
import { createRedaction } from './redact.js';

/** Takes ClusterLoader2's output on its way to the disk. */
export interface LogSink {
  /** Gives the line as it was written, or undefined when it was left out. */
  readonly take: (line: string) => string | undefined;
  /** Says at the end what was left out. */
  close(): void;
}

/** How a log is written. */
export interface LogSinkOptions {
  readonly secrets: readonly string[];
  readonly write: (line: string) => void;
  /** @default 64 MiB (ours: a run of hours at --v=2 on 5000 pods writes a third of it) */
  readonly cap?: Bytes;
}

/**
 * Redacts, and keeps the log below a cap: beyond it only warnings, errors and step markers are
 * written, beyond the double of it nothing. Lines of waiting at a gate say the same twenty times a
 * second and are left out from the start.
 */
export function createLogSink({ secrets, write, cap = CAP }: LogSinkOptions): LogSink {
  const redact = createRedaction(secrets);
  let written: Bytes = 0;
  let dropped = 0;
  return {
    take: (line) => {
      const text = redact(line)?.slice(0, LONGEST_LINE);
      if (text === undefined || GATE_NOISE.test(text)) return undefined;
      const limit = IMPORTANT.test(text) ? 2 * cap : cap;
      if (written + text.length > limit) {
        dropped += 1;
        return text;
      }
      written += text.length + 1;
      write(text);
      return text;
    },
    close: () => {
      if (dropped > 0)
        write(`${dropped} lines were left out: the log is capped at ${bytesText(cap)}`);
    },
  };
}

const CAP: Bytes = 64 * MIB;
/** A list of failed pods can be one line of megabytes. */
const LONGEST_LINE = 16_384;
const GATE_NOISE = /WaitForGenericK8sObjects: objects: .*successful=0 /;
const IMPORTANT = /^[WEF]\d{4} |Step "|Test Finished|Status: /;
