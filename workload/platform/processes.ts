/** A process that is this one and no other that later got the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it was started, as the kernel writes it: clock ticks since boot on Linux. */
  readonly startTime: string;
}

/** A process found in the process table, with the leader of its group. */
export interface FoundProcess extends ProcessIdentity {
  readonly group: number;
}

/** What the kernel says of a process now. */
export type ProcessState = 'running' | 'stopped' | 'gone';

/** A long-lived child that outlives us: own process group, output to a file. */
export interface DetachedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Output and errors are appended here. */
  readonly logFile: string;
}

/** A short command whose end we wait for. */
export interface ShortCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with each line of standard error as it comes. */
  readonly onErrorLine?: ((line: string) => void) | undefined;
}

/** How a short command ended. */
export type ShortResult =
  | {
      readonly state: 'ended';
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly state: 'killed'; readonly signal: string; readonly stderr: string }
  | { readonly state: 'not-found' };

/** The operating system's processes, as a port. */
export interface Processes {
  /** The identity of this very process. */
  self(): ProcessIdentity;
  /** Starts a child that stays when we go. Rejects when the command cannot be started. */
  start(command: DetachedCommand): Promise<ProcessIdentity>;
  /** Runs a command to its end; killed with its group when the signal aborts. */
  run(command: ShortCommand): Promise<ShortResult>;
  state(identity: ProcessIdentity): ProcessState;
  /** Signals the group that `identity` leads, or it alone when it leads none. */
  signalGroup(identity: ProcessIdentity, signal: NodeJS.Signals): 'sent' | 'gone';
  /** Processes of ours whose environment holds `name=value`: also those nobody wrote down. */
  findByEnvironment(name: string, value: string): readonly FoundProcess[];
  /** An environment variable of another process; undefined when it has none. */
  environmentOf(identity: ProcessIdentity, name: string): string | undefined;
}
