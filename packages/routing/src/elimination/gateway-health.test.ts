import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createEliminationResolver, SHIPPED_ELIMINATION_RULES as RULES } from './elimination-rules.ts'
import { GatewayHealth, type HealthChange } from './gateway-health.ts'

const resolve = createEliminationResolver(RULES)
const knobs = resolve({ settings: null, flag: true, requested: null })
const MINUTE = 60_000

/** Outcomes as letters, one a second unless told otherwise; the changes that they brought. */
const fed = (health: GatewayHealth, outcomes: string, { from = 0, everyMs = 1_000, settings = knobs } = {}): readonly HealthChange[] =>
  outcomes
    .split('')
    .map((letter, index) => health.feed(letter === 'S', from + index * everyMs, settings))
    .filter((change) => change !== null)

const healthAfter = (outcomes: string): GatewayHealth => {
  const health = new GatewayHealth(0)
  fed(health, outcomes)
  return health
}

describe('health of a gateway', () => {
  test('eight failures in a row take it down, seven do not', () => {
    expect(fed(new GatewayHealth(0), 'SSSFFFFFFF')).toEqual([])
    expect(fed(new GatewayHealth(0), 'SSSFFFFFFFF')).toEqual(['down'])
  })

  test('a share below the threshold takes it down once it is known well enough', () => {
    const settings = { ...knobs, threshold: 0.5 }
    const outcomes = 'FFFSFFFSFFFS'
    expect(fed(new GatewayHealth(0), outcomes, { settings, everyMs: 0 })).toEqual(['down'])
    // Twenty minutes apart the weight never gets to eight.
    expect(fed(new GatewayHealth(0), outcomes, { settings, everyMs: 20 * MINUTE })).toEqual([])
  })

  test('an outcome counts half after ten minutes', () => {
    const health = new GatewayHealth(0)
    health.feed(true, 0, knobs)
    health.feed(false, 10 * MINUTE, knobs)
    expect(health.state).toMatchObject({ weight: 1.5, successWeight: 0.5, run: -1 })
  })

  test('three successes in a row bring it back', () => {
    expect(fed(healthAfter('FFFFFFFF'), 'SSFSS', { from: 10_000, settings: { ...knobs, threshold: 0.9 } })).toEqual([])
    expect(fed(healthAfter('FFFFFFFF'), 'SSFSSS', { from: 10_000, settings: { ...knobs, threshold: 0.9 } })).toEqual(['up'])
  })

  test('so does a share above the threshold of the outcomes since, once there are enough', () => {
    expect(fed(healthAfter('FFFFFFFF'), 'FFFFFSF', { from: 8_000, everyMs: 0 })).toEqual([])
    expect(fed(healthAfter('FFFFFFFF'), 'FFFFFSFF', { from: 8_000, everyMs: 0 })).toEqual(['up'])
  })

  test('once it is back the outage no longer speaks against it', () => {
    const health = healthAfter('FFFFFFFFFFFFFFFFFFFFFFFFFSSS')
    expect(health.hasOutage).toBe(false)
    expect(fed(health, 'FSFSFS', { from: 40_000, settings: { ...knobs, threshold: 0.4 } })).toEqual([])
  })

  test('a failure that turns out to be a success breaks the run and leaves the share', () => {
    const health = healthAfter('FFFFFFF')
    health.correct(7_000, knobs)
    expect(health.state).toMatchObject({ run: 1, outage: null })
    expect(fed(health, 'FFFFFFF', { from: 8_000 })).toEqual([])
  })

  test('two and a half hours after its newest outcome all is forgotten', () => {
    const health = healthAfter('FFFFFFFF')
    expect([health.isDown(9_000_000 + 7_000, RULES.ageMsMax), health.isDown(9_000_001 + 7_000, RULES.ageMsMax)]).toEqual([true, false])
    expect(fed(health, 'F', { from: 9_100_000 })).toEqual(['forgotten'])
    expect(health.state).toMatchObject({ weight: 1, run: -1 })
  })

  test('the order of times does not matter to the decay: an earlier outcome counts in full', () => {
    const health = new GatewayHealth(5_000)
    health.feed(true, 1_000, knobs)
    expect(health.state).toMatchObject({ weight: 1, at: 5_000 })
  })

  describe('probes', () => {
    const passed = (health: GatewayHealth, count: number, at: number): void => {
      for (let n = 0; n < count; n++) health.pass(at, 'elsewhere')
    }

    test('one is due after 30 s and 50 payments, not before either', () => {
      const health = healthAfter('FFFFFFFF')
      passed(health, 49, 8_000)
      expect(health.isProbeDue(60_000, RULES)).toBe(false)
      passed(health, 1, 8_000)
      expect(health.isProbeDue(36_999, RULES)).toBe(false)
      expect(health.isProbeDue(37_000, RULES)).toBe(true)
    })

    test('a payment on its way to try it keeps others from it, also while its event is not folded', () => {
      const health = healthAfter('FFFFFFFF')
      passed(health, 60, 8_000)
      health.reserveProbe(40_000)
      expect(health.isProbeDue(69_999, RULES)).toBe(false)
      expect(health.isProbeDue(70_000, RULES)).toBe(true)
      health.pass(40_000, 'to-probe')
      passed(health, 49, 41_000)
      expect(health.isProbeDue(200_000, RULES)).toBe(false)
    })

    test('after a probe that failed the next one waits for twice as many payments, after one that succeeded for half as many', () => {
      const waits = (outcome: 'S' | 'F'): number => {
        const health = healthAfter('FFFFFFFF')
        health.pass(40_000, 'to-probe')
        fed(health, outcome, { from: 41_000 })
        let count = 0
        while (!health.isProbeDue(90_000, RULES)) {
          passed(health, 1, 43_000)
          count++
        }
        return count
      }
      expect(waits('S')).toBe(25)
      expect(waits('F')).toBe(100)
    })

    test('whatever the probes give, no more than one in 50 payments tries the gateway, but for the first', () => {
      fc.assert(
        fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (outcomes) => {
          const health = healthAfter('FFFFFFFF')
          let [at, paymentCount, probeCount] = [8_000, 0, 0]
          for (const success of outcomes) {
            while (!health.isProbeDue(at, RULES)) {
              health.pass(at, 'elsewhere')
              paymentCount++
              at += 1_000
            }
            health.pass(at, 'to-probe')
            probeCount++
            expect(probeCount - 1).toBeLessThanOrEqual(paymentCount / RULES.probePaymentCount)
            // Half-lives of the share are the business of other tests.
            health.feed(success, at, { ...knobs, sampleCount: 1_000 })
            if (!health.hasOutage) return
          }
        }),
      )
    })

    test('a gateway that went down while the clock was ahead was tried by nobody until that time had come', () => {
      const health = new GatewayHealth(0)
      fed(health, 'FFFFFFFF', { from: 10 * 60 * MINUTE })
      const setBackTo = 60 * MINUTE
      for (let count = 0; count < 50; count++) health.pass(setBackTo, 'elsewhere')
      expect(health.isDown(setBackTo, knobs.ageMsMax)).toBe(true)
      expect(health.isProbeDue(setBackTo, RULES)).toBe(true)
      health.reserveProbe(setBackTo)
      expect(health.isProbeDue(setBackTo + 29_999, RULES)).toBe(false)
      expect(health.isProbeDue(setBackTo + 30_000, RULES)).toBe(true)
      // Clocks of two processes that are seconds apart say the same.
      expect(health.isProbeDue(setBackTo - 1_000, RULES)).toBe(false)
    })

    test('a gateway that is up is never probed', () => {
      const health = healthAfter('SFSF')
      passed(health, 500, 8_000)
      expect(health.isProbeDue(900_000, RULES)).toBe(false)
    })
  })

  test('weights stay sound, restoring changes nothing, whatever comes', () => {
    const outcome = fc.tuple(fc.constantFrom('success', 'failure', 'correction'), fc.integer({ min: -60_000, max: 4_000_000 }))
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 60 }), (outcomes) => {
        let health = new GatewayHealth(0)
        let at = 0
        for (const [kind, elapsedMs] of outcomes) {
          at += elapsedMs
          const copy = GatewayHealth.restore(structuredClone(health.state))
          const feed = (one: GatewayHealth) => (kind === 'correction' ? one.correct(at, knobs) : one.feed(kind === 'success', at, knobs))
          expect(feed(copy)).toBe(feed(health))
          expect(copy.state).toEqual(health.state)
          const { weight, successWeight } = health.state
          expect(successWeight >= 0 && successWeight <= weight).toBe(true)
          health = copy
        }
      }),
    )
  })
})

describe('elimination settings', () => {
  const settings = { threshold: 0.35, latency: { gatewayLatencyMs: 4_000 } }

  test.each([
    [true, null, true],
    [false, null, false],
    [true, false, false],
    [false, true, true],
  ])('flag %s, request %s: enabled %s (contract/README.md 1)', (flag, requested, enabled) => {
    expect(resolve({ settings: null, flag, requested })).toMatchObject({ enabled, threshold: 0.05, latencyLimitMs: null })
    expect(resolve({ settings, flag, requested })).toMatchObject({ enabled, threshold: 0.35, latencyLimitMs: 4_000, halfLifeMs: 600_000 })
  })

  test('are worked out once', () => {
    expect(resolve({ settings, flag: true, requested: null })).toBe(resolve({ settings, flag: false, requested: true }))
  })
})
