import { errorCatalogue } from '../../model/error-catalogue.js';
import type { UserError } from '../../model/user-error.js';

const catalogue = errorCatalogue({
  'mesh/agent-port-taken': {
    exit: 'infrastructure',
    meaning: 'Another process listens on the port of an agent controller.',
  },
});

/** The codes of this folder, for the generated docs. */
export const AGENT_CONTROLLER_ERRORS = catalogue.meanings;

/** The health port could not be opened. */
export function portTaken(clusterName: string, port: number, cause: unknown): UserError {
  return catalogue.make('mesh/agent-port-taken', {
    problem: `${clusterName}: the agent controller cannot listen on port ${port}`,
    given: cause instanceof Error ? cause.message : String(cause),
    expected: 'a free port on 127.0.0.1',
    next: 'run `meshscale up` again: it picks other ports for what is not running',
    where: { path: `${clusterName}/agent-controller` },
    cause,
  });
}
