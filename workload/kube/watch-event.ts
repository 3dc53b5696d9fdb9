import type { KubeObject } from './kube-client.js';

/** The wire's words for a change, and ours. */
export const EVENT_TYPES = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/** One line of a watch stream. */
export interface WireEvent {
  readonly type: keyof typeof EVENT_TYPES | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

/** The parsing border: beyond it an event is trusted to be what the API server promises. */
export function parseEvent(line: string): WireEvent | undefined {
  try {
    const event = JSON.parse(line) as Partial<WireEvent> | null;
    const known = event?.type !== undefined && WIRE_TYPES.has(event.type);
    return known && typeof event.object === 'object' ? (event as WireEvent) : undefined;
  } catch {
    return undefined;
  }
}

const WIRE_TYPES: ReadonlySet<string> = new Set([...Object.keys(EVENT_TYPES), 'BOOKMARK', 'ERROR']);
