import type { KubeObject } from '../kube/kube-client.js';

/** A namespace of ours, as far as a list of leftovers needs it. */
export interface FoundNamespace {
  readonly name: string;
  /** `namespace ms-fl-1 is being deleted (Some resources are remaining: …)` */
  readonly text: string;
}

/** The parsing border of namespaces. */
export function foundNamespace({ metadata, status }: KubeObject): FoundNamespace {
  const { name, deletionTimestamp } = metadata;
  const going = deletionTimestamp === undefined ? '' : ' is being deleted';
  const said = conditionsOf(status)
    .filter((condition) => condition['status'] === 'True')
    .flatMap(({ message }) => (typeof message === 'string' ? [message] : []));
  const why = said.length === 0 ? '' : ` (${said.join('; ')})`;
  return { name, text: `namespace ${name}${going}${why}` };
}

function conditionsOf(status: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof status !== 'object' || status === null || !('conditions' in status)) return [];
  const { conditions } = status;
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null ? [{ ...one }] : [],
  );
}
