import { describe, expect, it } from '@jest/globals';
import { loadSpec, readSpec } from '../../stacks/load-spec.js';
import { readSettings } from '../../stacks/read-settings.js';
import { runApp } from '../../stacks/run-app.js';

describe('the program that synthesizes an app', () => {
  it('ends with 0 and says nothing when all is well', () => {
    expect(running(() => undefined)).toEqual({ code: 0, told: [] });
  });

  it('fails with the parts of what is wrong, and no stack trace', () => {
    const { code, told } = running(() => readSettings({ network: 'ring', regoin: 'x' }));
    expect(code).toBe(2);
    expect(told.join('\n').split('\n')).toEqual([
      'error spec/invalid-settings: the settings of the mesh cannot be used',
      '  where:    cdktf.json',
      expect.stringContaining('  given:    ✖ Unrecognized key: "regoin"'),
      expect.stringContaining('            ✖ Invalid option'),
      expect.stringContaining('at network'),
      '  expected: the keys that docs/deploy.md lists',
      '  next:     correct context.meshscale',
    ]);
  });

  it('fails with every problem of a spec, each with its line', () => {
    const text = [
      'schemaVersion: 1',
      'name: m',
      'region: eastus2euap',
      'clusters:',
      '  - { number: 1 }',
      '  - { number: 1 }',
      '  - { number: 2, kubernetesVersion: "1.30" }',
    ].join('\n');
    const { code, told } = running(() => loadSpec(text, 'specs/m.yaml'));
    expect(code).toBe(2);
    expect(told.length).toBeGreaterThan(1);
    for (const one of told) expect(one).toMatch(/^error spec\/.*\n {2}where: {4}specs\/m\.yaml:\d/);
  });

  it('fails when the spec is not there', () => {
    const { code, told } = running(() => readSpec('specs/nowhere.yaml'));
    expect(code).toBe(2);
    expect(told.join('\n')).toMatch(/^error spec\/no-such-file: .*ENOENT/);
  });

  it('throws what is no mistake of the user', () => {
    expect(() => running(() => JSON.parse('{'))).toThrow(SyntaxError);
  });
});

function running(synthesize: () => unknown) {
  const told: string[] = [];
  const code = runApp(
    () => void synthesize(),
    (line) => void told.push(line),
  );
  return { code, told };
}
