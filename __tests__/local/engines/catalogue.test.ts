import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../../local/engines/catalogue.js';
import { ENGINE_NAMES, engineVariable } from '../../../local/engines/engine-names.js';
import { OLDEST_GO } from '../../../local/engines/remedies.js';
import type { EngineRecipe } from '../../../local/engines/recipe.js';

const goMod = (module: string) => readFile(`engines/${module}/go.mod`, 'utf8');

/** The Go module that each engine's version is the version of. */
const MODULES: Readonly<Record<string, (version: string) => string>> = {
  etcd: (version) => `go.etcd.io/etcd/server/v3 v${version}`,
  'kube-apiserver': (version) => `k8s.io/kubernetes v${version}`,
  'kube-controller-manager': (version) => `k8s.io/kubernetes v${version}`,
  'kube-scheduler': (version) => `k8s.io/kubernetes v${version}`,
  kwok: (version) => `sigs.k8s.io/kwok v${version}`,
  kvstoremesh: (version) => `github.com/cilium/cilium v${version}`,
  'clustermesh-apiserver': (version) => `github.com/cilium/cilium v${version}`,
  // Prometheus 3.16.0 is v0.316.0 as a Go module.
  prometheus: (version) =>
    `github.com/prometheus/prometheus v${version.replace(/^3\.(\d+)\./, '0.3$1.')}`,
};

describe('the catalogue of engines', () => {
  it.each(ENGINE_NAMES)('names the version of %s that its Go module pins', async (name) => {
    const { version, build } = CATALOGUE[name];
    const required = (await goMod(build.module))
      .split('\n')
      .map((line) => line.replace(/ \/\/.*/, '').trim());
    expect(required).toContain(MODULES[name]?.(version));
  });

  it.each(ENGINE_NAMES)('builds %s from a package that its Go module knows', async (name) => {
    const { build } = CATALOGUE[name];
    const text = await goMod(build.module);
    if (build.package.startsWith('./')) {
      const main = await readFile(`engines/${build.module}/${build.package}/main.go`, 'utf8');
      expect(main).toContain('package main');
    } else expect(text).toMatch(new RegExp(`^(tool )?\\t?${build.package}$`, 'm'));
  });

  it.each(['control-plane', 'exporter'])('asks for the Go that %s wants', async (module) => {
    expect(await goMod(module)).toContain(`\ngo ${OLDEST_GO}\n`);
  });

  it('has a variable for each engine', () => {
    expect(ENGINE_NAMES.map(engineVariable)).toContain('MESHSCALE_ENGINE_KUBE_APISERVER');
    expect(new Set(ENGINE_NAMES.map(engineVariable)).size).toBe(ENGINE_NAMES.length);
  });

  it('knows the release files for x64 and arm64', () => {
    const files = ENGINE_NAMES.map((name): EngineRecipe => CATALOGUE[name]).map((recipe) =>
      (['amd64', 'arm64'] as const).map((arch) => {
        const release = recipe.release;
        return release === undefined
          ? 'none'
          : release.origin + release.file({ os: 'linux', arch });
      }),
    );
    const github = 'https://github.com';
    const kubernetes = 'https://dl.k8s.io/v1.36.3/bin/linux';
    const etcd = `${github}/etcd-io/etcd/releases/download/v3.6.12/etcd-v3.6.12-linux`;
    const kwok = `${github}/kubernetes-sigs/kwok/releases/download/v0.8.0/kwok-linux`;
    const prometheus = `${github}/prometheus/prometheus/releases/download/v3.16.0/prometheus-3.16.0.linux`;
    expect(files).toEqual([
      [`${etcd}-amd64.tar.gz`, `${etcd}-arm64.tar.gz`],
      [`${kubernetes}/amd64/kube-apiserver`, `${kubernetes}/arm64/kube-apiserver`],
      [
        `${kubernetes}/amd64/kube-controller-manager`,
        `${kubernetes}/arm64/kube-controller-manager`,
      ],
      [`${kubernetes}/amd64/kube-scheduler`, `${kubernetes}/arm64/kube-scheduler`],
      [`${kwok}-amd64`, `${kwok}-arm64`],
      ['none', 'none'],
      ['none', 'none'],
      [`${prometheus}-amd64.tar.gz`, `${prometheus}-arm64.tar.gz`],
    ]);
  });
});
