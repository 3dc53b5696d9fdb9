/** The labels of a member. */
export type Labels = Readonly<Record<string, string>>;

/** Fleet adds labels of its own under this prefix; they are never sent. @see fleet-api.md §5.1 */
const SERVICE_PREFIX = 'fleet.azure.com/';

/** The key by which a mesh selects its members. One value for each profile, so meshes don't mix. */
const MESH_KEY = 'mesh';
/** The key of the selector that selects nobody. @see fleet-api.md §10.3 */
const DRAIN_KEY = 'fleet-drain';

/** What a mesh selects its members by: `mesh=<profile>`. */
export function meshSelector(profile: string): string {
  return `${MESH_KEY}=${profile}`;
}

/** The selector of a mesh that is being drained: fixed, so that two drains write the same one. */
export const DRAIN_SELECTOR = `${DRAIN_KEY}=meshscale`;

/** The labels that a user may set: all but Fleet's own. */
export function userLabels(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels).filter(([key]) => !key.startsWith(SERVICE_PREFIX)),
  );
}

/** The pairs of a selector `a=1,b=2`; none for an absent one. */
export function selectorPairs(selector: string | undefined): Labels {
  const pairs = (selector ?? '')
    .split(',')
    .map((pair) => pair.trim().split('='))
    .flatMap(([key, value]) => (key === undefined || value === undefined ? [] : [[key, value]]));
  return Object.fromEntries(pairs) as Labels;
}

/** Whether a selector selects these labels. An empty selector selects nobody. */
export function selects(selector: string | undefined, labels: Labels): boolean {
  const pairs = Object.entries(selectorPairs(selector));
  return pairs.length > 0 && pairs.every(([key, value]) => labels[key] === value);
}

/** The whole user map with which `selector` selects the member. */
export function attachedLabels(labels: Labels, selector: string): Labels {
  return { ...userLabels(labels), ...selectorPairs(selector) };
}

/** The whole user map without what `selector` selects by. */
export function detachedLabels(labels: Labels, selector: string | undefined): Labels {
  const keys = selectorPairs(selector);
  return Object.fromEntries(Object.entries(userLabels(labels)).filter(([key]) => !(key in keys)));
}

/** Whether two maps are the same. */
export function sameLabels(one: Labels, other: Labels): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
