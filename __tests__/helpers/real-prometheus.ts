import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { engineForTests } from './engines.js';

/** A Prometheus that scrapes nothing and takes remote writes. */
export interface RealPrometheus {
  readonly url: string;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

/** Starts one on a free port; resolves when it says that it is ready. */
export async function startPrometheus(): Promise<RealPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'meshscale-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  await writeFile(config, 'global: {}\n');
  const port = await freePort();
  const child = spawn(
    engineForTests('prometheus'),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes('Server is ready to receive web requests')) resolve();
    });
    lines.once('close', () => {
      reject(new Error(`prometheus ended before it was ready:\n${said.slice(-10).join('\n')}`));
    });
  });
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
