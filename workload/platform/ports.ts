import { createServer, type Server } from 'node:net';
import type { Random } from './random.js';

/**
 * Ports are looked for below the range that kernels hand to outgoing connections (Linux: from
 * 32768), so that no client takes one between the search and the listening.
 */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS_PER_PORT = 200;

/** Free ports, or how many of those asked for were found. */
export type FoundPorts =
  | { readonly state: 'found'; readonly ports: readonly number[] }
  | { readonly state: 'short'; readonly found: number };

/**
 * Finds `count` different ports that nothing listens on at loopback. All are held until the last is
 * found, so two searches at once never give the same port.
 */
export async function findFreePorts(
  count: number,
  random: Random,
  taken: ReadonlySet<number> = new Set(),
): Promise<FoundPorts> {
  // Trying on for a port that cannot be there would take minutes.
  if (count > HIGHEST_PORT - LOWEST_PORT + 1 - taken.size) return { state: 'short', found: 0 };
  const held: Server[] = [];
  try {
    const ports: number[] = [];
    for (let tries = 0; ports.length < count; tries += 1) {
      if (tries >= count * ATTEMPTS_PER_PORT) return { state: 'short', found: ports.length };
      const port = random.integer(LOWEST_PORT, HIGHEST_PORT);
      if (taken.has(port)) continue;
      const server = await listen(port);
      if (server === undefined) continue;
      held.push(server);
      ports.push(port);
    }
    return { state: 'found', ports };
  } finally {
    await Promise.all(held.map(close));
  }
}

/** Whether nothing listens on this port of the loopback now. */
export async function portIsFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server === undefined) return false;
  await close(server);
  return true;
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
