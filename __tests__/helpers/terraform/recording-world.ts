import { z } from 'zod';
import { bodyOf, startLoopbackServer } from '../loopback-server.js';
import type { MeshModel } from './mesh-model.js';

/** What the recording handler says that it was asked. */
export const handlerCall = z.object({
  verb: z.enum(['ensure', 'leave', 'drain', 'settle']),
  flags: z.array(z.string()),
  FLEET_ID: z.string().optional(),
  PROFILE: z.string().optional(),
  MEMBER: z.string().optional(),
  MEMBERS: z.string().optional(),
  CLUSTER_ID: z.string().optional(),
});

/** One call of the handler. */
export type RecordedCall = z.infer<typeof handlerCall>;

/** How a call of the handler goes wrong. */
export type HandlerFault =
  | 'fails' // ends with 7 and has done nothing
  | 'fails-late' // does its work and then ends with 5
  | 'is-killed' // dies by SIGKILL before its work
  | 'hangs'; // waits until it is released

/** Has calls of the handler go wrong. */
export interface HandlerRule {
  readonly verb: RecordedCall['verb'];
  /** Only for this member or cluster. @default - for all */
  readonly of?: string;
  readonly fault: HandlerFault;
  times: number;
}

/** The server that recording handlers report to. */
export interface RecordingWorld {
  readonly url: string;
  readonly rules: HandlerRule[];
  readonly calls: RecordedCall[];
  /** Resolves when a call has begun to hang. */
  hanging(): Promise<void>;
  /** Lets hanging calls go: they do their work, if anybody still listens. */
  release(): void;
  close(): Promise<void>;
}

/** Starts the world that recording handlers act on; `events` gets a line for each call. */
export async function startRecordingWorld(
  model: MeshModel,
  events: () => string[],
): Promise<RecordingWorld> {
  const rules: HandlerRule[] = [];
  const calls: RecordedCall[] = [];
  let waiting: (() => void)[] = [];
  let told: (() => void)[] = [];
  const hang = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      for (const tell of told) tell();
      told = [];
    });
  const server = await startLoopbackServer((request, response) => {
    void (async () => {
      const call = handlerCall.parse(JSON.parse(await bodyOf(request)));
      calls.push(call);
      const subject = call.MEMBER ?? call.CLUSTER_ID?.split('/').at(-1) ?? call.MEMBERS ?? '';
      const line = `${call.verb} ${subject}`.trim();
      const rule = rules.find((each) => matches(each, call.verb, subject));
      if (rule !== undefined) rule.times -= 1;
      if (rule?.fault === 'hangs') await hang();
      const exit = rule === undefined ? 0 : EXITS[rule.fault];
      events().push(rule === undefined ? line : `${line} (${rule.fault})`);
      if (rule === undefined || rule.fault === 'fails-late' || rule.fault === 'hangs') {
        act(model, call);
      }
      response.end(
        JSON.stringify({ exit, ...(exit === 0 ? {} : { message: `planted: ${line}` }) }),
      );
    })();
  });
  return {
    url: server.url,
    rules,
    calls,
    hanging: () =>
      waiting.length > 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            told.push(resolve);
          }),
    release: () => {
      for (const go of waiting) go();
      waiting = [];
    },
    close: () => server.close(),
  };
}

const EXITS = { fails: 7, 'fails-late': 5, 'is-killed': 'killed', hangs: 0 } as const;

function matches(rule: HandlerRule, verb: string, subject: string): boolean {
  return rule.times > 0 && rule.verb === verb && (rule.of === undefined || rule.of === subject);
}

function act(model: MeshModel, call: RecordedCall): void {
  if (call.verb === 'ensure') model.ensure((call.MEMBERS ?? '').split(','));
  if (call.verb === 'leave') model.leave(call.MEMBER ?? '');
  if (call.verb === 'drain') model.drain();
}
