import { readFile } from 'node:fs/promises';
import { argv, env, stderr, stdout } from 'node:process';
import {
  connectAzure,
  createFileLock,
  createNodeHttp,
  drain,
  lockFolder,
  nodeChance,
  nodeClock,
  proxyOf,
  runProgram,
} from 'meshscale/fleet';

// Takes everybody out of a mesh, with the code that Terraform runs at destroy:
//   npx tsx main.ts /subscriptions/…/resourceGroups/…/providers/Microsoft.ContainerService/fleets/mesh mesh
const [fleetId = '', profile = 'mesh'] = argv.slice(2);
const azure = await connectAzure({
  env,
  clock: nodeClock,
  chance: nodeChance,
  run: runProgram,
  read: (file) => readFile(file, 'utf8'),
  http: (caPem) => createNodeHttp({ caPem, proxy: proxyOf(env) }).send,
});
const { deleted, remainingMembers } = await drain(
  { profile },
  {
    fleetId,
    api: azure.fleet(fleetId),
    clock: nodeClock,
    lock: createFileLock(lockFolder(env)),
    progress: { report: ({ subject, text }) => void stderr.write(`${subject}: ${text}\n`) },
    signal: AbortSignal.timeout(2 * 3_600_000),
  },
);
stdout.write(deleted ? 'drained\n' : `still attached: ${remainingMembers.join(', ')}\n`);
process.exitCode = deleted ? 0 : 7;
