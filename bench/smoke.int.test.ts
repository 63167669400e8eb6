import { describe, expect, test } from '@jest/globals'
import { BENCHMARKS, BROKER_NAMES, SERVER_NAMES } from './benchmarks.mjs'
import { smokeRun } from './smoke-run.fixture.ts'

/** Those on real servers are run by smoke.e2e.test.ts; that of webhooks by webhooks.int.test.ts, which also looks at what it counts. */
const ELSEWHERE = [...BROKER_NAMES, ...SERVER_NAMES, 'webhooks']
const BOUND_MS = 300_000

describe('every benchmark runs', () => {
  test.each(Object.keys(BENCHMARKS).filter((name) => !ELSEWHERE.includes(name)))(
    '%s',
    async (name) => {
      const printed = await smokeRun(name)
      expect(printed).toMatch(new RegExp(`^${name}$`, 'm'))
      expect(printed).toContain('Everything runs')
      expect(printed).not.toMatch(/NaN|undefined|Infinity/)
    },
    BOUND_MS,
  )
})
