/** The parts of a local mesh's status that are shown; see `local/status`. */
export interface ShownStatus {
  readonly stateDir: string;
  readonly spec: { readonly clusters: number; readonly nodes: number };
  readonly state: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly components: readonly {
    readonly role: string;
    readonly name: string;
    readonly state: string;
    readonly pid?: number;
  }[];
  readonly links: readonly { readonly pair: string; readonly state: string }[];
  readonly unrecorded: readonly string[];
  readonly changedBy?: string;
  readonly usedBy?: string;
  readonly stoodIn: readonly string[];
  readonly notShown: readonly string[];
}

/** The status of a local mesh as people read it. */
export function meshStatusText(status: ShownStatus): string {
  const roles = [...new Set(status.components.map(({ role }) => role))];
  const synced = status.links.filter(({ state }) => state === 'synced').length;
  return [
    `mesh      ${status.state}: ${count(status.spec.clusters, 'cluster')} × ${count(status.spec.nodes, 'node')} in ${status.stateDir}`,
    status.links.length === 0
      ? 'links     none: one cluster has no peers'
      : `links     ${synced} of ${status.links.length} synchronised${unwellLinks(status)}`,
    ...roles.map((role) => `${role.padEnd(9)} ${componentLine(status, role)}`),
    ...section('left over', status.unrecorded),
    ...(status.unrecorded.length === 0
      ? []
      : ['          no record names these: `meshscale up` or `meshscale down` ends them']),
    ...(status.changedBy === undefined ? [] : [`changing  ${status.changedBy} is at work`]),
    ...(status.usedBy === undefined ? [] : [`in use    ${status.usedBy}`]),
    ...nextStep(status).map((line) => `next      ${line}`),
    '',
    'real      ' + versionLine(status.versions),
    ...section('stood in', status.stoodIn),
    ...section('not shown', status.notShown),
  ].join('\n');
}

/** What to type when the mesh is not as it should be. */
function nextStep(status: ShownStatus): readonly string[] {
  if (status.state === 'complete' || status.changedBy !== undefined) return [];
  if (status.state === 'incomplete') {
    return ['meshscale up goes on with what an interrupted one began, meshscale down removes it'];
  }
  const parts = status.components
    .filter(({ state }) => state !== 'running')
    .map(({ name, role }) => `${name} of ${role}`);
  const links = status.links
    .filter(({ state }) => state !== 'synced')
    .map(({ pair }) => `the link ${pair}`);
  // A link is unwell because of a component, when one is.
  const broken = parts.length > 0 ? parts : links;
  return broken.length === 0 ? [] : [`meshscale up repairs: ${broken.join(', ')}`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function unwellLinks(status: ShownStatus): string {
  const unwell = status.links.filter(({ state }) => state !== 'synced');
  if (unwell.length === 0) return '';
  return `: ${unwell.map(({ pair, state }) => `${pair} ${state}`).join(', ')}`;
}

function componentLine(status: ShownStatus, role: string): string {
  return status.components
    .filter((one) => one.role === role)
    .map(({ name, state, pid }) => {
      const what = state === 'running' ? '' : ` ${state.toUpperCase()}`;
      return `${name}${pid === undefined ? '' : `(${pid})`}${what}`;
    })
    .join(' ');
}

function versionLine(versions: Readonly<Record<string, string>>): string {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${(index === 0 ? title : '').padEnd(9)} ${line}`);
}
