/**
 * The control plane of a Fleet cluster mesh for other programs: the public door of this folder, never
 * imported from inside of it. `examples/drain-a-mesh` shows how the parts go together.
 *
 * @packageDocumentation
 */
export { connectAzure, type Azure, type AzureWorld } from './connect.js';
export { drain, type DrainRequest, type DrainResult } from './drain.js';
export { ensure, type EnsureRequest, type EnsureResult } from './ensure.js';
export type { CallBounds, FleetApi, FleetMember, MeshProfile, MeshState } from './fleet-api.js';
export type { FleetWorld } from './fleet-world.js';
export { leave, type LeaveRequest, type LeaveResult } from './leave.js';
export { createFileLock } from './platform/file-lock.js';
export { lockFolder } from './platform/lock-folder.js';
export { nodeChance, nodeClock } from './platform/node-clock.js';
export { createNodeHttp, type NodeHttp, type NodeHttpOptions } from './platform/node-http.js';
export { proxyOf, type Proxy } from './platform/proxy.js';
export { runProgram } from './platform/run-program.js';
export type { Chance, FleetClock, FleetLock, FleetProgress, SendHttp } from './ports.js';
export { settle, type SettleRequest } from './settle.js';
export { fleetStatus, type FleetStatus, type MemberStatus } from './status.js';
