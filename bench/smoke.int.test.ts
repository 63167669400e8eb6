import { describe } from '@jest/globals'
import { BENCHMARKS, BROKER_NAMES, SERVER_NAMES } from './benchmarks.mjs'
import { testSmokeRuns } from './smoke-run.fixture.ts'

/** Those on real servers are run by smoke.e2e.test.ts; that of webhooks by webhooks.int.test.ts, which also looks at what it counts. */
const ELSEWHERE = [...BROKER_NAMES, ...SERVER_NAMES, 'webhooks']

describe('every benchmark runs', () => {
  testSmokeRuns(Object.keys(BENCHMARKS).filter((name) => !ELSEWHERE.includes(name)))
})
