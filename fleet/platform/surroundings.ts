import { readFile } from 'node:fs/promises';
import type { ExitWord } from '../../model/exit-codes.js';
import type { Surroundings } from '../handler-main.js';
import { createFileLock } from './file-lock.js';
import { lockFolder } from './lock-folder.js';
import { nodeChance, nodeClock } from './node-clock.js';
import { createNodeHttp, type NodeHttp } from './node-http.js';
import { proxyOf } from './proxy.js';
import { runProgram } from './run-program.js';
import { serviceClock } from './service-clock.js';

/** This very process: streams, signals, environment, network. */
export async function nodeSurroundings(): Promise<Surroundings> {
  const { env } = process;
  const senders: NodeHttp[] = [];
  const interrupt = listenForSignals();
  return {
    argv: process.argv.slice(2),
    env,
    clock: (await serviceClock(env)) ?? nodeClock,
    chance: nodeChance,
    run: runProgram,
    read: (file) => readFile(file, 'utf8'),
    http: (caPem) => {
      const sender = createNodeHttp({ caPem, proxy: proxyOf(env) });
      senders.push(sender);
      return sender.send;
    },
    lock: createFileLock(lockFolder(env)),
    signal: interrupt.signal,
    interruptedBy: interrupt.word,
    tell: (line) => process.stderr.write(`${line}\n`),
    data: (line) => process.stdout.write(`${line}\n`),
    close: () => {
      for (const sender of senders) sender.close();
      interrupt.stop();
    },
  };
}

/** The first signal ends the step at hand; the second leaves at once. */
function listenForSignals() {
  const controller = new AbortController();
  let word: ExitWord = 'interrupted';
  const on = (meaning: ExitWord, code: number) => (): void => {
    if (controller.signal.aborted) process.exit(code);
    word = meaning;
    controller.abort(new Error(`interrupted (${meaning})`));
  };
  const sigint = on('interrupted', 130);
  const sigterm = on('terminated', 143);
  process.on('SIGINT', sigint).on('SIGTERM', sigterm);
  return {
    signal: controller.signal,
    word: () => word,
    stop: () => void process.off('SIGINT', sigint).off('SIGTERM', sigterm),
  };
}
