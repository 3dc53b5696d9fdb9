import { apiFailure } from './errors.js';
import type { KubeAnswer, KubeClient, KubeObject, RequestOptions } from './kube-client.js';

/** A whole list, each object reduced as it arrived. */
export interface KeptList<T> {
  readonly resourceVersion: string;
  readonly items: readonly T[];
}

/** What to list. */
export interface ListRequest<T> extends RequestOptions {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Reduces each object as its page arrives, so that memory holds only what is needed. */
  readonly keep: (object: KubeObject) => T;
}

/** What client-go's pager asks for. @see https://pkg.go.dev/k8s.io/client-go/tools/pager */
const PAGE_SIZE = 500;

/**
 * Lists everything, page by page. When the snapshot behind the pages is compacted away meanwhile
 * (410), it starts over in one single page, which cannot expire; client-go does the same.
 * Rejects with a UserError when the API server refuses.
 */
export async function listPages<T>(
  client: Pick<KubeClient, 'access' | 'request'>,
  request: ListRequest<T>,
): Promise<KeptList<T>> {
  const items: T[] = [];
  let limit: string | undefined = String(PAGE_SIZE);
  let next: string | undefined;
  for (;;) {
    const path = pathWith(request.path, { ...request.query, limit, continue: next });
    const answer: KubeAnswer = await client.request('GET', path, undefined, request);
    if (!answer.ok) {
      if (answer.status !== 410 || next === undefined) {
        throw apiFailure(client.access.server, request.path, answer);
      }
      items.length = 0;
      limit = undefined;
      next = undefined;
      continue;
    }
    const page = pageOf(answer.body);
    for (const object of page.items) items.push(request.keep(object));
    if (page.next === undefined) return { resourceVersion: page.resourceVersion, items };
    next = page.next;
  }
}

/** A path with more query parameters; undefined ones are left out. */
export function pathWith(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, value);
  }
  const text = parameters.toString();
  if (text === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** The parsing border of a list. */
function pageOf(body: unknown): {
  resourceVersion: string;
  next: string | undefined;
  items: readonly KubeObject[];
} {
  const list = body as {
    metadata?: { resourceVersion?: string; continue?: string };
    items?: readonly KubeObject[] | null;
  };
  const more = list.metadata?.continue ?? '';
  return {
    resourceVersion: list.metadata?.resourceVersion ?? '',
    next: more === '' ? undefined : more,
    items: list.items ?? [],
  };
}
