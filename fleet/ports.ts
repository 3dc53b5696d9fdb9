import type { Milliseconds } from '../model/quantity.js';

/** Time, as `workload/platform/clock` has it; the bundled handler brings its own. */
export interface FleetClock {
  /** UTC milliseconds since 1970: for expiry times and for people. */
  now(): Milliseconds;
  /** Monotonic nanoseconds: for budgets. */
  monoNs(): bigint;
  /** Resolves after `duration`; rejects with the signal's reason as soon as it aborts. */
  sleep(duration: Milliseconds, signal?: AbortSignal): Promise<void>;
}

/** Chance for jitter and request ids. */
export interface Chance {
  /** A whole number in `[min, max]`, both included. */
  integer(min: number, max: number): number;
  /** A fresh GUID. */
  guid(): string;
}

/** Where a long deed tells what it does. */
export interface FleetProgress {
  report(event: {
    readonly subject: string;
    readonly state: 'running' | 'done' | 'failed' | 'note';
    readonly text: string;
  }): void;
}

/** One HTTP request. `url` is sent byte for byte: status addresses of ARM are signed. */
export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A whole answer; header names are in lower case. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one request within a time of its own (at most 60 s). Rejects when no whole answer came:
 * refused, reset, cut off, silent.
 */
export type SendHttp = (request: HttpRequest) => Promise<HttpAnswer>;

/** How a short program ended. */
export type ProgramResult =
  | { readonly state: 'ended'; readonly exitCode: number; readonly stdout: string }
  | { readonly state: 'not-found' };

/** Runs a short program to its end. */
export type RunProgram = (
  command: string,
  args: readonly string[],
  signal: AbortSignal,
) => Promise<ProgramResult>;

/** The text of a file; rejects when it cannot be read. */
export type ReadText = (file: string) => Promise<string>;

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One holder at a time for each fleet, among the processes of this machine. */
export interface FleetLock {
  /** Taken, with the way to give it back, or who has it. Answers at once. */
  tryTake(
    fleetId: string,
    purpose: string,
  ): Promise<
    | { readonly state: 'taken'; release(): Promise<void> }
    | { readonly state: 'held'; readonly holder: string }
  >;
}
