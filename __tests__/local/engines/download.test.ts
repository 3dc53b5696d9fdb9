import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pack } from 'tar-stream';
import { buffer } from 'node:stream/consumers';
import { namesIn, cachePaths } from '../../../local/engines/cache.js';
import type { EngineName } from '../../../local/engines/engine-names.js';
import { resolveEngines } from '../../../local/engines/resolve-engines.js';
import { userErrorsOf } from '../../../model/user-error.js';
import { createEngineWorld, engineScript, type EngineWorld } from '../../helpers/engine-world.js';
import { startLoopbackServer, type LoopbackServer } from '../../helpers/loopback-server.js';

// Several short programs run in some of these; a busy machine needs its time.
jest.setTimeout(60_000);

let world: EngineWorld;
let server: LoopbackServer;
let answer: RequestListener;
const asked: string[] = [];

beforeEach(async () => {
  world = await createEngineWorld();
  asked.length = 0;
  server = await startLoopbackServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
});
afterEach(async () => {
  await server.close();
  await world.remove();
});

/** A server with these files. */
const serve = (files: Readonly<Record<string, string | Buffer>>): void => {
  answer = ({ url = '' }, response) => {
    const content = files[url];
    response.writeHead(content === undefined ? 404 : 200).end(content);
  };
};
const download = (names: readonly EngineName[], arch: 'amd64' | 'arm64' = 'amd64') =>
  resolveEngines(
    names,
    world.with({ from: 'download', url: `${server.url}/`, platform: { os: 'linux', arch } }),
  );
const errorsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: unknown) => userErrorsOf(error),
  );
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

const archive = async (member: string, content: string): Promise<Buffer> => {
  const tar = pack();
  tar.entry({ name: 'other/README' }, 'read me');
  tar.entry({ name: member, mode: 0o644 }, content);
  tar.finalize();
  return gzipSync(await buffer(tar));
};

const SCHEDULER = '/v1.36.3/bin/linux/amd64/kube-scheduler';
const scheduler = engineScript('kube-scheduler');

describe('downloading an engine', () => {
  it('takes a single file with a bare checksum', async () => {
    serve({ [SCHEDULER]: scheduler, [`${SCHEDULER}.sha256`]: `${sha256(scheduler)}\n` });
    const first = await download(['kube-scheduler']);
    const second = await download(['kube-scheduler']);
    expect(first['kube-scheduler']).toMatchObject({ version: '1.36.3', source: 'downloaded' });
    expect(second['kube-scheduler'].source).toBe('cache');
    expect(asked).toEqual([`${SCHEDULER}.sha256`, SCHEDULER]);
  });

  it.each(['amd64', 'arm64'] as const)('takes the program out of an archive (%s)', async (arch) => {
    const folder = '/etcd-io/etcd/releases/download/v3.6.12';
    const name = `etcd-v3.6.12-linux-${arch}`;
    const file = await archive(`${name}/etcd`, engineScript('etcd'));
    serve({
      [`${folder}/${name}.tar.gz`]: file,
      [`${folder}/SHA256SUMS`]: `${sha256('x')}  other.tar.gz\n${sha256(file)}  ${name}.tar.gz\n`,
    });
    expect((await download(['etcd'], arch)).etcd.version).toBe('3.6.12');
  });

  it("takes GitHub's digest where the project publishes no checksum", async () => {
    const file = engineScript('kwok');
    const assets = [{ name: 'kwok-linux-arm64', digest: `sha256:${sha256(file)}` }];
    serve({
      '/repos/kubernetes-sigs/kwok/releases/tags/v0.8.0': JSON.stringify({ assets }),
      '/kubernetes-sigs/kwok/releases/download/v0.8.0/kwok-linux-arm64': file,
    });
    expect((await download(['kwok'], 'arm64')).kwok.source).toBe('downloaded');
  });

  it('follows redirects, and tries again after a failure of the server', async () => {
    let failures = 2;
    answer = ({ url = '' }, response) => {
      if (url === '/moved') response.end(scheduler);
      else if (url.endsWith('.sha256')) response.end(sha256(scheduler));
      else if (failures-- > 0) response.writeHead(503).end();
      else response.writeHead(302, { location: '/moved' }).end();
    };
    expect((await download(['kube-scheduler']))['kube-scheduler'].source).toBe('downloaded');
    expect(asked.filter((url) => url === SCHEDULER)).toHaveLength(3);
  });

  it('fails when the file is not the published one, and keeps nothing', async () => {
    serve({ [SCHEDULER]: `${scheduler}#`, [`${SCHEDULER}.sha256`]: sha256(scheduler) });
    const [error] = await errorsOf(download(['kube-scheduler']));
    expect(error?.code).toBe('engine/checksum-mismatch');
    expect(error?.given).toContain(sha256(`${scheduler}#`));
    expect(error?.expected).toContain(sha256(scheduler));
    const { store, partial } = cachePaths(world.context.cacheDir);
    expect([await namesIn(store), await namesIn(partial)]).toEqual([[], []]);
  });

  it('fails when the file is not there, without a second try', async () => {
    serve({ [`${SCHEDULER}.sha256`]: sha256(scheduler) });
    const [error] = await errorsOf(download(['kube-scheduler']));
    expect(error).toMatchObject({ code: 'engine/download-failed', given: server.url + SCHEDULER });
    expect(error?.problem).toContain('the server answered 404');
    expect(asked.filter((url) => url === SCHEDULER)).toHaveLength(1);
  });

  it('fails when the connection breaks in the middle each time', async () => {
    answer = ({ url = '' }, response) => {
      if (url.endsWith('.sha256')) {
        response.end(sha256(scheduler));
        return;
      }
      response.writeHead(200, { 'content-length': scheduler.length });
      response.write(scheduler.slice(0, 5), () => response.destroy());
    };
    const [error] = await errorsOf(download(['kube-scheduler']));
    expect(error?.code).toBe('engine/download-failed');
    expect(asked.filter((url) => url === SCHEDULER)).toHaveLength(3);
  });

  it.each([
    ['an archive without the program', true, 'holds no etcd-v3.6.12-linux-amd64/etcd'],
    ['a list without the file', false, 'no SHA-256 of etcd-v3.6.12-linux-amd64.tar.gz'],
  ])('fails on %s', async (_, listed, problem) => {
    const folder = '/etcd-io/etcd/releases/download/v3.6.12';
    const file = await archive('elsewhere/etcd', engineScript('etcd'));
    const name = listed ? 'etcd-v3.6.12-linux-amd64.tar.gz' : 'other.tar.gz';
    serve({
      [`${folder}/etcd-v3.6.12-linux-amd64.tar.gz`]: file,
      [`${folder}/SHA256SUMS`]: `${sha256(file)}  ${name}\n`,
    });
    const [error] = await errorsOf(download(['etcd']));
    expect(error?.problem).toContain(problem);
  });

  it('fails for engines that are published as images only, and names the ways that are left', async () => {
    serve({});
    const errors = await errorsOf(download(['kvstoremesh', 'clustermesh-apiserver']));
    expect(errors.map(({ code }) => code)).toEqual(Array(2).fill('engine/no-release-file'));
    expect(errors.map(({ next }) => next).join()).toContain(
      'engines install kvstoremesh --from build',
    );
    expect(asked).toEqual([]);
  });

  it('fails where no files are published for the machine', async () => {
    const platform = { os: 'darwin', arch: 'arm64' } as const;
    const work = resolveEngines(['etcd'], world.with({ from: 'download', platform }));
    const [error] = await errorsOf(work);
    expect(error?.problem).toContain('darwin/arm64');
  });

  it.each(['nonsense', 'ftp://mirror'])('fails on the address %s', async (url) => {
    const [error] = await errorsOf(resolveEngines(['etcd'], world.with({ from: 'download', url })));
    expect(error?.code).toBe('engine/bad-url');
  });
});
