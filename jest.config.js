import { BUILT_INS } from './tools/jest-built-ins.mjs'

const TRANSFORM = '<rootDir>/tools/jest-transform.mjs'
/** ES modules of others that tests spend much time in. */
const COMPUTING = 'csv-parse|fast-check|pure-rand|zod'

/** ESM throughout; workspaces are read from their sources, so only tests that start the built service need a build. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '\\.(ts|mjs)$': TRANSFORM, [`/node_modules/(${COMPUTING})/.*\\.js$`]: TRANSFORM },
  transformIgnorePatterns: [`/node_modules/(?!(${COMPUTING})/)`],
  sandboxInjectedGlobals: BUILT_INS,
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  testMatch: ['**/*.test.ts'],
  reporters: ['default', '<rootDir>/tools/jest-totals-reporter.mjs'],
  testSequencer: '<rootDir>/tools/jest-sequencer.mjs',
  // Starts real servers for a run with SWITCHYARD_TEST_REAL=1, and nothing otherwise.
  globalSetup: '<rootDir>/infra/servers/jest/setup.mjs',
  globalTeardown: '<rootDir>/infra/servers/jest/teardown.mjs',
  // Tests that start a service keep one core busy by themselves.
  maxWorkers: 2,
  // A bound for what hangs, not an expectation: tests wait by position, and a busy machine may be slow.
  testTimeout: 30_000,
}
