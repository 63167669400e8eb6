import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DEFAULT_SCHEDULE } from '../schedule/schedule-text.ts'
import { absentChain, type Chain, type ChainEvent, evolveChain, unfinished } from './chain.ts'
import { type DeliveryCommand, delivery, isAttemptDue, mustNotRace } from './delivery.ts'
import { accepted, chainId, merchantId, T0 } from './sample-chain.fixture.ts'

/** What happens: time passes, somebody begins, ends or gives up an attempt, or a worker acts on what it saw long ago. */
type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'begin' | 'begin-late' | 'retry' | 'abandon' | 'recover' }
  | { readonly kind: 'end'; readonly which: number; readonly status: number | null }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 30_000_000 }) }),
    fc.record({ kind: fc.constantFrom('begin', 'begin', 'begin-late', 'retry', 'abandon', 'recover') }),
    fc.record({ kind: fc.constant('end' as const), which: fc.nat(3), status: fc.constantFrom(200, 204, 301, 410, 500, 503, null) }),
  ) as fc.Arbitrary<Step>,
  { maxLength: 120 },
)

/** One chain as two workers see it: `now` what the log says, `before` what a slow worker still believes. */
const createLife = () => {
  let at = T0
  let chain = evolveChain(absentChain(merchantId, chainId), accepted())
  let before = chain
  let claims = 0
  const seen: Chain[] = [chain]

  const record = (event: ChainEvent, expectedVersion: number): void => {
    if (mustNotRace(event) && expectedVersion !== chain.version) return
    before = chain
    chain = evolveChain(chain, event)
    seen.push(chain)
  }
  const decide = (command: DeliveryCommand, on: Chain): void => {
    const decision = delivery.decide(command, on)
    if (decision.accepted) for (const event of decision.events) record(event, on.version)
  }
  const place = { merchantId, chainId }
  const begin = (type: 'StartScheduledAttempt' | 'StartManualAttempt', on: Chain): void => {
    const claimId = `c${++claims}`
    const start = { ...place, at, eventId: `e${claims}`, claimId, request: new Uint8Array(), deadlineAt: at + 15_000 }
    decide(type === 'StartManualAttempt' ? { ...start, type, idempotencyKey: null, taskId: null } : { ...start, type }, on)
  }
  const end = (which: number, statusCode: number | null): void => {
    const attempt = unfinished(chain)[which]
    if (attempt === undefined) return
    const result = { statusCode, errorMessage: null, response: null, retryAfterAt: null, schedule: DEFAULT_SCHEDULE }
    decide({ type: 'FinishAttempt', ...place, at, eventId: attempt.eventId, ...result }, chain)
  }
  const run = (step: Step): void => {
    switch (step.kind) {
      case 'pass':
        at += step.ms
        return
      case 'begin':
        return begin('StartScheduledAttempt', chain)
      case 'begin-late':
        return begin('StartScheduledAttempt', before)
      case 'retry':
        return begin('StartManualAttempt', chain)
      case 'abandon':
        return decide({ type: 'AbandonDelivery', ...place, at }, chain)
      case 'recover':
        return decide({ type: 'GiveUpUnfinished', ...place, at, schedule: DEFAULT_SCHEDULE }, chain)
      default:
        return end(step.which, step.status)
    }
  }
  return { run, seen, at: () => at, chain: () => chain }
}

describe('whatever happens to a chain', () => {
  test('property: delivered stays delivered, at most 17 scheduled attempts, one at a time, each claimed once', () => {
    fc.assert(
      fc.property(steps, (life) => {
        const world = createLife()
        for (const step of life) world.run(step)
        const chain = world.chain()
        const firstDelivered = world.seen.findIndex(({ status }) => status === 'DELIVERED')
        if (firstDelivered !== -1) expect(world.seen.slice(firstDelivered).every(({ status }) => status === 'DELIVERED')).toBe(true)
        const scheduled = chain.attempts.filter(({ kind }) => kind !== 'MANUAL')
        expect(scheduled.length).toBeLessThanOrEqual(17)
        expect(scheduled.length).toBe(chain.scheduledCount)
        expect(unfinished(chain).filter(({ kind }) => kind !== 'MANUAL').length).toBeLessThanOrEqual(1)
        expect(new Set(chain.attempts.map(({ claimId }) => claimId)).size).toBe(chain.attempts.length)
        expect(chain.chainId).toBe(chainId)
      }),
      { numRuns: 500 },
    )
  })

  test('property: whoever keeps looking at what is due brings every chain to its end, with every attempt finished', () => {
    fc.assert(
      fc.property(steps, (life) => {
        const world = createLife()
        for (const step of life) world.run(step)
        for (let round = 0; round < 60; round++) {
          world.run({ kind: 'pass', ms: 50_000_000 })
          world.run({ kind: 'recover' })
          if (isAttemptDue(world.chain(), world.at())) world.run({ kind: 'begin' })
          world.run({ kind: 'end', which: 0, status: 500 })
        }
        const chain = world.chain()
        expect(['DELIVERED', 'EXHAUSTED']).toContain(chain.status)
        expect(unfinished(chain)).toEqual([])
        expect([chain.freshAt, chain.dueAt]).toEqual([undefined, undefined])
      }),
      { numRuns: 200 },
    )
  })
})
