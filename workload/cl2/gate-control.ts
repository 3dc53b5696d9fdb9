import { OBJECT_CONVENTIONS, scenarioNamespace } from '../../model/object-conventions.js';
import type { KubeClient } from '../kube/kube-client.js';
import { runLabels, type ObjectSetting } from '../native/objects.js';
import { writeObject, type WriteResult } from '../native/write-object.js';
import type { Clock } from '../platform/clock.js';
import { GATE_LABEL, GATE_VALUE, gateCondition } from './gate-step.js';

/** Opens the gates of one cluster. */
export interface GateControl {
  /** Makes the Service that carries the gates. */
  create(signal: AbortSignal): Promise<WriteResult>;
  open(gates: readonly string[], signal: AbortSignal): Promise<WriteResult>;
}

/** What gates are opened with. */
export interface GateSetting {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly objects: ObjectSetting;
}

/** The gates of a run on one cluster; see {@link gateCondition}. */
export function createGateControl(setting: GateSetting): GateControl {
  const { client, clock, objects } = setting;
  const services = `/api/v1/namespaces/${scenarioNamespace(objects.scenario.short, 1)}/services`;
  const opened: string[] = [];
  return {
    create: (signal) =>
      writeObject(
        { clock, signal },
        () => client.request('POST', services, gateService(objects), { signal }),
        ({ status, reason }) => status === 409 && reason === 'AlreadyExists',
      ),
    open: (gates, signal) => {
      opened.push(...gates.filter((gate) => !opened.includes(gate)));
      const body = { status: { conditions: opened.map((gate) => condition(gate, clock)) } };
      const path = `${services}/${GATE_SERVICE}/status`;
      // A merge patch replaces the list: what was opened before stays in it.
      return writeObject({ clock, signal }, () => client.patch(path, 'merge', body, { signal }));
    },
  };
}

/** Headless, without a selector and without the annotation of a global Service: nobody carries it on. */
function gateService(objects: ObjectSetting): object {
  // Not of the workload's group: what counts the workload's objects must not count this one.
  const own = Object.entries(runLabels(objects)).filter(
    ([name]) => name !== OBJECT_CONVENTIONS.groupLabel,
  );
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: GATE_SERVICE,
      labels: { ...Object.fromEntries(own), [GATE_LABEL]: GATE_VALUE },
    },
    spec: { clusterIP: 'None', ports: [{ name: 'none', port: 1, protocol: 'TCP' }] },
  };
}

function condition(gate: string, clock: Clock): object {
  return {
    type: gateCondition(gate),
    status: 'True',
    reason: 'Opened',
    message: '',
    lastTransitionTime: new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
}

const GATE_SERVICE = 'meshscale-gates';
