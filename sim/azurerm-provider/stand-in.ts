import { join } from 'node:path';
import { Cloud } from './cloud.js';
import type { FleetSide } from './fleet-side.js';
import { providerCalls } from './provider-calls.js';
import { serveProvider } from './provider-server.js';
import { schemaFromBinding } from './schema-from-bindings.js';
import type { BlockSchema } from './schema.js';

/** A running stand-in for the providers azurerm and null. */
export interface StandIn {
  readonly cloud: Cloud;
  /** What Terraform has to find in its environment to use it instead of the real providers. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): void;
}

/** What the stand-in is made with. */
export interface StandInOptions {
  /** Folder for its sockets; its path has to be short (108 bytes with the file's name). */
  readonly folder: string;
  readonly fleet: FleetSide;
  /** Ids of things in Azure that Terraform did not make. @default - none */
  readonly existing?: readonly string[];
  /** @default - those that the stacks of this project use */
  readonly resources?: readonly string[];
}

/**
 * Starts stand-ins for `hashicorp/azurerm` and `hashicorp/null`, which a real Terraform then uses
 * without a network: their schema comes from the installed bindings, their Azure is `cloud`.
 */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const cloud = new Cloud(options.fleet, options.existing);
  const azurerm = join(options.folder, 'azurerm.sock');
  const nothing = join(options.folder, 'null.sock');
  const servers = await Promise.all([
    serveProvider(azurerm, callsOf('azurerm', options.resources ?? AZURERM, cloud)),
    serveProvider(nothing, callsOf('null', ['resource'], cloud)),
  ]);
  return {
    cloud,
    environment: {
      TF_REATTACH_PROVIDERS: JSON.stringify({
        'registry.terraform.io/hashicorp/azurerm': reattach(azurerm),
        'registry.terraform.io/hashicorp/null': reattach(nothing),
      }),
    },
    stop: () => {
      for (const server of servers) server.stop();
    },
  };
}

/** Folders of the bindings of the resources that the stand-in knows. */
const AZURERM = [
  'kubernetes-cluster',
  'kubernetes-cluster-node-pool',
  'kubernetes-fleet-manager',
  'kubernetes-fleet-member',
  'network-manager',
  'network-manager-connectivity-configuration',
  'network-manager-deployment',
  'network-manager-network-group',
  'network-manager-static-member',
  'resource-group',
  'role-assignment',
  'subnet',
  'user-assigned-identity',
  'virtual-network',
  'virtual-network-peering',
];

function callsOf(provider: 'azurerm' | 'null', resources: readonly string[], cloud: Cloud) {
  const binding = (name: string) => bindingOf(`@cdktf/provider-${provider}/lib/${name}/index.js`);
  return providerCalls({
    cloud,
    provider: binding('provider').block,
    resources: new Map(resources.map((name) => [binding(name).type, binding(name).block] as const)),
  });
}

/** Reading a binding takes a while and it does not change. */
const known = new Map<string, { readonly type: string; readonly block: BlockSchema }>();

function bindingOf(module: string) {
  const schema = known.get(module) ?? schemaFromBinding(module);
  known.set(module, schema);
  return schema;
}

/** `Test` keeps Terraform from ending the process that it is told of. */
function reattach(socket: string) {
  return {
    Protocol: 'grpc',
    ProtocolVersion: 6,
    Pid: process.pid,
    Test: true,
    Addr: { Network: 'unix', String: socket },
  };
}
