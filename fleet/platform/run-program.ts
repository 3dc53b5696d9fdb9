import { execFile } from 'node:child_process';
import type { RunProgram } from '../ports.js';

/** Runs a program without a shell. On Windows the Azure CLI is a batch file, which needs one. */
export const runProgram: RunProgram = (command, args, signal) =>
  new Promise((resolve, reject) => {
    const shell = process.platform === 'win32';
    execFile(command, [...args], { signal, shell, maxBuffer: MOST_OUTPUT }, (error, stdout) => {
      if (signal.aborted) reject(abortReason(signal));
      else if (error === null) resolve({ state: 'ended', exitCode: 0, stdout });
      else if (error.code === 'ENOENT' || error.code === 'EACCES') resolve({ state: 'not-found' });
      else resolve({ state: 'ended', exitCode: Number(error.code) || 1, stdout });
    });
  });

/** An answer with a token has about 3 kB; chosen. */
const MOST_OUTPUT = 1024 * 1024;

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted');
}
