/** ESM throughout; workspaces are read from their sources, so no build is needed to test. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } }],
  },
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  testMatch: ['**/*.test.ts'],
}
