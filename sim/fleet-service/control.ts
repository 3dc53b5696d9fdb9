import { listAt, numberAt, parseJson, textAt, textsAt, valueAt } from '../../fleet/json.js';
import { empty, json, type ServiceAnswer, type ServiceRequest } from './answers.js';
import { breachesOf } from './check-service.js';
import type { Knobs } from './knobs.js';
import type { MovingClock } from './moving-clock.js';
import { PRESETS } from './presets.js';
import { seedCluster } from './routes/cluster-routes.js';
import type { FleetService } from './service.js';

/**
 * `/_control/…`, for tests whose programs are processes of their own; undefined for other paths.
 *
 * - `POST sleep {ms}` answers `{now}` when that time has passed: a client's whole idea of waiting;
 * - `PATCH knobs {…}` sets knobs, `POST preset {name}` a named set of them;
 * - `PUT cluster {id, …}`, `DELETE cluster {id}` let an AKS cluster be or not be;
 * - `GET journal`, `GET state`, `GET breaches` tell what happened.
 */
export async function controlAnswer(
  service: FleetService,
  clock: MovingClock,
  request: ServiceRequest,
): Promise<ServiceAnswer | undefined> {
  const verb = /^\/_control\/(\w+)$/.exec(request.path)?.[1];
  if (verb === undefined) return undefined;
  const body = parseJson(request.body);
  const { state } = service;
  service.catchUp();
  switch (`${request.method} ${verb}`) {
    case 'POST sleep':
      await clock.sleep(numberAt(body, 'ms') ?? 0);
      return json(200, { now: clock.now() });
    case 'PATCH knobs':
      return setKnobs(state.knobs, body);
    case 'POST preset': {
      const preset = PRESETS[textAt(body, 'name') ?? ''];
      return preset === undefined ? empty(404) : setKnobs(state.knobs, preset);
    }
    case 'PUT cluster':
      seedCluster(state, textAt(body, 'id') ?? '', {
        tags: textsAt(body, 'tags'),
        provisioningState: textAt(body, 'provisioningState') ?? 'Succeeded',
      });
      return empty(204);
    case 'DELETE cluster':
      state.clusters.delete((textAt(body, 'id') ?? '').toLowerCase());
      return empty(204);
    case 'GET journal':
      return json(200, state.journal);
    case 'GET breaches':
      return json(200, breachesOf(state));
    case 'GET state':
      return json(200, summary(service));
    default:
      return empty(404);
  }
}

/** Knobs are plain data, so a document can set them; what is none is refused. */
function setKnobs(knobs: Knobs, body: unknown): ServiceAnswer {
  const given = Object.entries(typeof body === 'object' && body !== null ? body : {});
  const unknown = given.filter(([name]) => !(name in knobs)).map(([name]) => name);
  if (unknown.length > 0) return json(400, { unknown });
  Object.assign(knobs, Object.fromEntries(given));
  return json(200, { set: given.map(([name]) => name), faults: listAt(valueAt(body), 'faults') });
}

function summary({ state }: FleetService): object {
  const fleets = [...state.fleets.values()].map(({ id, members, profiles }) => ({
    id,
    members: [...members.values()].map(({ name, labels, provisioningState, mesh }) => {
      const attached = mesh === undefined ? undefined : mesh.profile.name;
      return { name, labels, provisioningState, mesh: attached, state: mesh?.state };
    }),
    profiles: [...profiles.values()].map(({ name, selector, lastApplied, state: at }) => {
      return { name, selector, lastApplied, state: at };
    }),
  }));
  return { fleets, clusters: [...state.clusters.keys()] };
}
