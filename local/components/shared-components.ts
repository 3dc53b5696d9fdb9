import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ClusterFacts, Programs } from '../cluster-facts.js';
import { READY_BUDGET, type Component } from '../component.js';
import type { MeshPorts } from '../state/mesh-file.js';
import { MESH_ROLE, type MeshPaths } from '../state/paths.js';
import { portOf } from '../state/port-plan.js';

/**
 * Phases of a short run last tens of seconds, so scrapes have to be closer than Prometheus' usual
 * 15–60 s. Chosen: 5 s costs about 1 % of a core per cluster.
 */
const SCRAPE_INTERVAL = '5s';

/** The relay that carries every directed link. */
export function linkRelay(mesh: MeshPaths, ports: MeshPorts, programs: Programs): Component {
  const port = portOf(ports, MESH_ROLE, 'relay');
  const links = Object.entries(ports[MESH_ROLE] ?? {}).filter(([purpose]) =>
    purpose.includes('--'),
  );
  return {
    role: MESH_ROLE,
    name: 'link-relay',
    program: programs.ourselves.program,
    args: [...programs.ourselves.args, 'link-relay', `--links=${mesh.linkFile}`, `--port=${port}`],
    cwd: mesh.root,
    logFile: join(mesh.logs, 'link-relay.log'),
    ports: { http: port, ...Object.fromEntries(links) },
    files: [],
    probe: { url: `http://127.0.0.1:${port}/readyz` },
    readyBudget: READY_BUDGET,
  };
}

/** One Prometheus for all clusters; every series carries our `cluster` and `component` labels. */
export function prometheus(
  mesh: MeshPaths,
  ports: MeshPorts,
  programs: Programs,
  clusters: readonly ClusterFacts[],
): Component {
  const port = portOf(ports, MESH_ROLE, 'prometheus');
  const configuration = {
    path: join(mesh.prometheus, 'prometheus.yml'),
    content: stringify({
      global: { scrape_interval: SCRAPE_INTERVAL, scrape_timeout: SCRAPE_INTERVAL },
      scrape_configs: [
        ownTargets(ports),
        ...clusters.flatMap((cluster) => [plainTargets(cluster), tlsTargets(cluster)]),
      ],
    }),
  };
  return {
    role: MESH_ROLE,
    name: 'prometheus',
    program: programs.engines.prometheus,
    args: [
      `--config.file=${configuration.path}`,
      `--storage.tsdb.path=${join(mesh.prometheus, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    cwd: mesh.prometheus,
    logFile: join(mesh.logs, 'prometheus.log'),
    ports: { http: port },
    files: [configuration],
    probe: { url: `http://127.0.0.1:${port}/-/ready` },
    readyBudget: READY_BUDGET,
  };
}

function ownTargets(ports: MeshPorts) {
  return {
    job_name: MESH_ROLE,
    static_configs: [
      target(portOf(ports, MESH_ROLE, 'prometheus'), MESH_ROLE, 'prometheus'),
      target(portOf(ports, MESH_ROLE, 'relay'), MESH_ROLE, 'link-relay'),
    ],
  };
}

function plainTargets(cluster: ClusterFacts) {
  const { role } = cluster;
  return {
    job_name: `${role}-plain`,
    static_configs: [
      target(cluster.port('etcd-metrics'), role, 'etcd'),
      target(cluster.port('mesh-etcd-metrics'), role, 'mesh-etcd'),
      target(cluster.port('kwok'), role, 'kwok'),
      target(cluster.port('agent-controller'), role, 'agent-controller'),
      target(cluster.port('exporter-metrics'), role, 'clustermesh-apiserver'),
      target(cluster.port('kvstoremesh-metrics'), role, 'kvstoremesh'),
    ],
  };
}

function tlsTargets(cluster: ClusterFacts) {
  const { role } = cluster;
  const certificate = cluster.credentials.kube.prometheus;
  return {
    job_name: `${role}-tls`,
    scheme: 'https',
    tls_config: {
      ca_file: certificate.caFile,
      cert_file: certificate.certFile,
      key_file: certificate.keyFile,
    },
    static_configs: [
      target(cluster.port('apiserver'), role, 'kube-apiserver'),
      target(cluster.port('controller-manager'), role, 'kube-controller-manager'),
      target(cluster.port('scheduler'), role, 'kube-scheduler'),
    ],
  };
}

function target(port: number, cluster: string, component: string) {
  return { targets: [`127.0.0.1:${port}`], labels: { cluster, component } };
}
