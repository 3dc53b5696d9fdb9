import { startFakeCluster } from './fake-cluster.js';

/** Fake clusters in a process of their own: what they take is not the runner's. Ends with its input. */
const count = Number(process.argv[2]);
const clusters = await Promise.all(Array.from({ length: count }, () => startFakeCluster()));
process.stdout.write(`${JSON.stringify(clusters.map(({ url }) => url))}\n`);
process.stdin.resume();
process.stdin.once('end', () => {
  process.exit(0);
});
