import { beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { LIMITED_CREDENTIAL_COUNT_MAX } from '../limits.ts'
import type { Identity } from '../route.ts'
import { sampleSpec } from '../server/sample-server.fixture.ts'
import { createRateLimits, type RatePolicies } from './rate-limit.ts'

const key = (keyId: string, admin = false): Identity => ({ kind: 'key', keyId, merchantId: 'm1', admin })
const READ = sampleSpec({ permission: 'routing:read' })
const WRITE = sampleSpec({ method: 'POST', permission: 'routing:write' })
const HOT = sampleSpec({ method: 'POST', permission: 'routing:write', hot: true })

let nowMs = 0
beforeEach(() => {
  nowMs = 1_000_000
})
const limits = (policies: RatePolicies) => createRateLimits(policies, () => nowMs)

describe('rate limits', () => {
  test('a bucket gives its burst at once, then so many a second, and says what is left', () => {
    const take = limits({ write: { perSecond: 2, burst: 3 } })
    const seen = (): unknown => {
      const verdict = take(WRITE, key('k'))
      return [verdict?.headers['ratelimit'], verdict?.refused?.headers?.['retry-after']]
    }
    expect([seen(), seen(), seen(), seen()]).toEqual([
      ['"write";r=2;t=1', undefined],
      ['"write";r=1;t=1', undefined],
      ['"write";r=0;t=2', undefined],
      ['"write";r=0;t=2', '1'],
    ])
    nowMs += 499
    expect(take(WRITE, key('k'))?.refused).toMatchObject({
      status: 429,
      body: { code: 'TE_00', message: expect.stringContaining('2 a second'), data: null },
      headers: { 'ratelimit-policy': '"write";q=3;w=2', 'retry-after': '1' },
    })
    nowMs += 1
    expect(take(WRITE, key('k'))?.refused).toBeUndefined()
    nowMs += 60_000
    expect(take(WRITE, key('k'))?.headers['ratelimit']).toBe('"write";r=2;t=1')
  })

  test('each class and each credential has a bucket of its own; without a policy, a known caller or for admins there is none', () => {
    const one = { perSecond: 1, burst: 1 }
    const take = limits({ write: one, read: one })
    expect(take(WRITE, key('a'))?.refused).toBeUndefined()
    expect(take(READ, key('a'))?.refused).toBeUndefined()
    expect(take(WRITE, key('b'))?.refused).toBeUndefined()
    expect(take(WRITE, key('a'))?.refused?.status).toBe(429)
    expect(take(HOT, key('a'))).toBeUndefined()
    expect(take(WRITE, { kind: 'anonymous' })).toBeUndefined()
    expect(take(WRITE, { kind: 'admin' })).toBeUndefined()
    expect(take(WRITE, key('a', true))).toBeUndefined()
  })

  test('payments by the older interface have the limit of those by the newer one, not that of changes to the configuration', () => {
    const take = limits({ write: { perSecond: 1, burst: 1 }, hot: { perSecond: 1, burst: 2 } })
    const older = sampleSpec({ method: 'POST', permission: 'routing:write', limitedAs: 'hot' })
    expect(take(WRITE, key('k'))?.refused).toBeUndefined()
    expect(take(HOT, key('k'))?.headers['ratelimit']).toBe('"hot";r=1;t=1')
    expect(take(older, key('k'))?.headers['ratelimit']).toBe('"hot";r=0;t=2')
    expect(take(older, key('k'))?.refused?.status).toBe(429)
    expect(limits({ write: { perSecond: 1, burst: 1 } })(older, key('k'))).toBeUndefined()
  })

  test('a clock that goes back gives nothing and takes nothing', () => {
    const take = limits({ read: { perSecond: 1, burst: 1 } })
    take(READ, key('a'))
    nowMs -= 10_000
    expect(take(READ, key('a'))?.refused?.headers?.['retry-after']).toBe('1')
  })

  test('only so many credentials are remembered', () => {
    const take = limits({ read: { perSecond: 1, burst: 1 } })
    for (let number = 0; number <= LIMITED_CREDENTIAL_COUNT_MAX; number++) take(READ, key(`k${number}`))
    expect(take(READ, key(`k${LIMITED_CREDENTIAL_COUNT_MAX}`))?.refused?.status).toBe(429)
    expect(take(READ, key('k0'))?.refused).toBeUndefined()
  })

  test('in no span of time more than the burst and what the span gives come through', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.nat(400), { maxLength: 200 }),
        (perSecond, burst, pauses) => {
          nowMs = 0
          const take = limits({ read: { perSecond, burst } })
          let through = 0
          for (const pause of pauses) {
            nowMs += pause
            if (take(READ, key('a'))?.refused === undefined) through += 1
            expect(through).toBeLessThanOrEqual(burst + (nowMs / 1_000) * perSecond + 1e-6)
          }
        },
      ),
    )
  })
})
