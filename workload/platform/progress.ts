/** One change of state worth a line. */
export interface ProgressEvent {
  /** What it is about: `mesh-001`, `etcd`, `mesh`. */
  readonly subject: string;
  readonly state: 'running' | 'done' | 'failed' | 'note';
  /** What happens, without the subject: `kube-apiserver is starting`. */
  readonly text: string;
}

/** Where a long deed tells what it does. Talk goes to stderr, never to stdout. */
export interface Progress {
  report(event: ProgressEvent): void;
}

/** Says nothing. */
export const silentProgress: Progress = { report: () => undefined };
