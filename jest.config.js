/**
 * Jest in ESM mode: today's libraries cannot be loaded by CommonJS Jest on Node 20, so every npm
 * script that runs jest passes --experimental-vm-modules. Projects are the kinds of test that
 * `npm test` runs one after another; see CONTRIBUTING.md.
 */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
};

const kind = (displayName, testMatch, testPathIgnorePatterns = []) => ({
  ...shared,
  displayName,
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...testPathIgnorePatterns],
});

export default {
  // Jest leaves a core to the terminal; on two cores that made the unit tests half as fast.
  maxWorkers: '100%',
  projects: [
    kind('unit', ['<rootDir>/__tests__/**/*.test.ts'], ['/__tests__/e2e/', '/__tests__/contract/']),
    kind('contract', ['<rootDir>/__tests__/contract/**/*.test.ts']),
    kind('smoke', ['<rootDir>/__tests__/e2e/**/*.smoke.test.ts']),
    kind('full', ['<rootDir>/__tests__/e2e/**/*.full.test.ts']),
  ],
};
