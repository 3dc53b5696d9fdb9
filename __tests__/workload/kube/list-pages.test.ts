import { describe, expect, it } from '@jest/globals';
import type { KubeAnswer, KubeClient } from '../../../workload/kube/kube-client.js';
import { listPages, pathWith } from '../../../workload/kube/list-pages.js';

type Pages = (query: URLSearchParams) => KubeAnswer;

function clientOf(answer: Pages): Pick<KubeClient, 'access' | 'request'> & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    access: { server: 'https://api', credential: { kind: 'none' } },
    request: (_method, path) => {
      asked.push(path);
      return Promise.resolve(answer(new URL(path, 'http://x').searchParams));
    },
  };
}

function page(names: readonly string[], more?: string): KubeAnswer {
  const metadata = { resourceVersion: '9', ...(more === undefined ? {} : { continue: more }) };
  const items = names.map((name) => ({ metadata: { name } }));
  return { ok: true, status: 200, body: { metadata, items } };
}

const expired: KubeAnswer = { ok: false, status: 410, reason: 'Expired', message: 'too old' };
const keep = (object: { metadata: { name: string } }): string => object.metadata.name;

describe('listPages', () => {
  it('follows the pages to the end, reducing each object', async () => {
    const client = clientOf((query) =>
      query.get('continue') === 'c+1' ? page(['c']) : page(['a', 'b'], 'c+1'),
    );
    const query = { labelSelector: 'app=x' };
    expect(await listPages(client, { path: '/pods', query, keep })).toEqual({
      resourceVersion: '9',
      items: ['a', 'b', 'c'],
    });
    expect(client.asked).toEqual([
      '/pods?labelSelector=app%3Dx&limit=500',
      '/pods?labelSelector=app%3Dx&limit=500&continue=c%2B1',
    ]);
  });

  it('starts over in one page when the snapshot behind the pages expires', async () => {
    const client = clientOf((query) => {
      if (query.has('continue')) return expired;
      return query.has('limit') ? page(['a'], 'next') : page(['a', 'b']);
    });
    expect((await listPages(client, { path: '/pods', keep })).items).toEqual(['a', 'b']);
    expect(client.asked).toEqual(['/pods?limit=500', '/pods?limit=500&continue=next', '/pods']);
  });

  it('takes a list without items as empty', async () => {
    const body = { metadata: { resourceVersion: '3' }, items: null };
    const client = clientOf(() => ({ ok: true, status: 200, body }));
    expect(await listPages(client, { path: '/pods', keep })).toEqual({
      resourceVersion: '3',
      items: [],
    });
  });

  it('fails with a user error when the first page is refused', async () => {
    const client = clientOf(() => expired);
    await expect(listPages(client, { path: '/pods', keep })).rejects.toMatchObject({
      code: 'kube/refused',
      where: { path: 'https://api' },
    });
    expect(client.asked).toHaveLength(1);
  });
});

describe('pathWith', () => {
  it('adds to a query that is there, and leaves out what is not given', () => {
    expect(pathWith('/a?b=1', { c: '2', d: undefined })).toBe('/a?b=1&c=2');
    expect(pathWith('/a', { d: undefined })).toBe('/a');
  });
});
