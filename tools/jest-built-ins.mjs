/**
 * Objects of the language that tests don't replace (fake timers do replace Date). Jest runs tests in a context of its own, where
 * each look at a global asks an interceptor first: a simulation took six times as long as outside of jest. So modules get
 * these as constants of their own (jest-transform.mjs), and those of CommonJS as parameters (jest.config.js).
 */
export const BUILT_INS = [
  'Array',
  'ArrayBuffer',
  'BigInt',
  'Boolean',
  'DataView',
  'Error',
  'Float64Array',
  'Int32Array',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'RangeError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'TypeError',
  'Uint32Array',
  'Uint8Array',
  'WeakMap',
]
