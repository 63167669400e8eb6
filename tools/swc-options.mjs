/** How types are taken off TypeScript, for tests (jest-transform.mjs) and outside of them (typescript.mjs). */
export const SWC_OPTIONS = { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } }
