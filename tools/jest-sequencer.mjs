import TestSequencer from '@jest/test-sequencer'

/** By what they start: servers, processes, nothing. */
const KINDS = ['.e2e.test.ts', '.int.test.ts', '.test.ts']
const kindOf = ({ path }) => KINDS.findIndex((ending) => path.endsWith(ending))

/**
 * Files that start something first: where jest has not seen them before it goes by their size, and what takes minutes would
 * come last, with nothing left for the other core.
 */
export default class SlowKindsFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => kindOf(one) - kindOf(other))
  }
}
