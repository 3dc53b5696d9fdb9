import type { CloudFault } from '../../../sim/azurerm-provider/cloud.js';
import type { HandlerFault, HandlerRule } from './recording-world.js';

/** A change of a mesh. */
export interface Lifecycle {
  readonly name: string;
  /** Clusters before it; 0 is nothing at all. */
  readonly from: number;
  /** Clusters after it; 0 is `destroy`. */
  readonly to: number;
  readonly args?: readonly string[];
  /** Steps of the handler, as `verb subject`. */
  readonly handlerSteps: readonly string[];
  /** Steps of the provider, as `verb type name`. */
  readonly providerSteps: readonly string[];
}

/** How a step goes wrong. */
export type StepFault = HandlerFault | 'is-refused' | 'is-interrupted' | 'dies-with-terraform';

/** One cell of the matrix. */
export interface FailureCase {
  readonly name: string;
  readonly lifecycle: Lifecycle;
  readonly step: string;
  readonly fault: StepFault;
}

const MEMBER = 'azurerm_kubernetes_fleet_member';
const CLUSTER = 'azurerm_kubernetes_cluster';
const FLEET = 'azurerm_kubernetes_fleet_manager';

/** The changes that the matrix is made over. */
export const LIFECYCLES: readonly Lifecycle[] = [
  {
    name: 'create 3',
    from: 0,
    to: 3,
    handlerSteps: ['settle mesh-001', 'settle mesh-002', 'ensure'],
    providerSteps: [`create ${FLEET} meshscale`, ...each('create', [1, 2, 3])],
  },
  {
    name: 'grow 2 to 4',
    from: 2,
    to: 4,
    handlerSteps: ['settle mesh-003', 'ensure'],
    providerSteps: each('create', [3, 4]),
  },
  {
    name: 'shrink 4 to 2',
    from: 4,
    to: 2,
    handlerSteps: ['leave mesh-003', 'leave mesh-004', 'ensure'],
    providerSteps: each('delete', [3, 4]),
  },
  {
    name: 'shrink 3 to 1',
    from: 3,
    to: 1,
    handlerSteps: ['drain', 'leave mesh-002', 'leave mesh-003'],
    providerSteps: each('delete', [2, 3]),
  },
  {
    name: 'replace mesh-002 of 3',
    from: 3,
    to: 3,
    args: [`-replace=${CLUSTER}.mesh["mesh-002"]`],
    handlerSteps: ['leave mesh-002', 'settle mesh-002', 'ensure'],
    providerSteps: [...each('delete', [2]), ...each('create', [2])],
  },
  {
    name: 'destroy 3',
    from: 3,
    to: 0,
    handlerSteps: ['drain', 'leave mesh-001', 'leave mesh-002', 'leave mesh-003'],
    providerSteps: [...each('delete', [1, 2, 3]), `delete ${FLEET} meshscale`],
  },
];

const HANDLER_FAULTS: readonly StepFault[] = [
  'fails',
  'fails-late',
  'is-killed',
  'is-interrupted',
  'dies-with-terraform',
];
const PROVIDER_FAULTS: readonly StepFault[] = [
  'is-refused',
  'is-interrupted',
  'dies-with-terraform',
];

/** Every change with every step going wrong in every way. */
export function failureMatrix(): readonly FailureCase[] {
  return LIFECYCLES.flatMap((lifecycle) => [
    ...lifecycle.handlerSteps.flatMap((step) => cases(lifecycle, step, HANDLER_FAULTS)),
    ...lifecycle.providerSteps.flatMap((step) => cases(lifecycle, step, faultsOf(step))),
  ]);
}

/**
 * While the fleet is made, networks are made beside it. Those that a killed Terraform did not live to
 * write down have to be imported by hand (docs/grow-and-shrink.md), so that is no case of continuing.
 */
function faultsOf(step: string): readonly StepFault[] {
  return step.startsWith(`create ${FLEET}`)
    ? PROVIDER_FAULTS.filter((fault) => fault !== 'dies-with-terraform')
    : PROVIDER_FAULTS;
}

/** The rule for the recording handler that a case plants; undefined when a provider step fails. */
export function handlerRule({ step, fault }: FailureCase): HandlerRule | undefined {
  const [verb, subject, more] = step.split(' ');
  if (more !== undefined) return undefined;
  if (verb !== 'ensure' && verb !== 'leave' && verb !== 'drain' && verb !== 'settle') {
    throw new Error(`no step of the handler: ${step}`);
  }
  const handlerFault =
    fault === 'is-interrupted' || fault === 'dies-with-terraform' || fault === 'is-refused'
      ? 'hangs'
      : fault;
  return { verb, fault: handlerFault, times: 1, ...(subject === undefined ? {} : { of: subject }) };
}

/** The fault of the cloud that a case plants. */
export function cloudFault(step: string, hold?: CloudFault['hold']): CloudFault {
  const [verb, type = '', name = ''] = step.split(' ');
  if (verb !== 'create' && verb !== 'delete') throw new Error(`no step of the provider: ${step}`);
  return { verb, type, name, times: 1, ...(hold === undefined ? {} : { hold }) };
}

function cases(lifecycle: Lifecycle, step: string, faults: readonly StepFault[]) {
  return faults.map((fault) => ({
    name: `${lifecycle.name}: ${step.replace('azurerm_kubernetes_', '')} ${fault.replaceAll('-', ' ')}`,
    lifecycle,
    step,
    fault,
  }));
}

function each(verb: 'create' | 'delete', numbers: readonly number[]): readonly string[] {
  const types = verb === 'create' ? [CLUSTER, MEMBER] : [MEMBER, CLUSTER];
  return types.flatMap((type) => numbers.map((n) => `${verb} ${type} mesh-00${n}`));
}
