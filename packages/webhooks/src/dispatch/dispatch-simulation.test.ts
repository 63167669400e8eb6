import { describe, expect, test } from '@jest/globals'
import { unitInterval } from '@switchyard/kernel'
import { createAlarms, type Sleeper } from './alarms.ts'
import { createDispatchEngine } from './dispatch-engine.ts'
import { DEFAULT_DISPATCH_LIMITS } from './dispatch-limits.ts'
import type { Delivery } from './endpoint-queue.ts'

/** A sender that is busy for this long with each attempt, in a time of its own: the speed of the machine does not matter. */
const WORK_MS = 0.5
const TIMEOUT_MS = 15_000
const SLOW_MS = 10_000
const DURATION_MS = 30_000
const ENDPOINT_COUNT = 200

interface Happening extends Sleeper {
  readonly happen: (nowMs: number) => void
}

interface Simulated {
  readonly sickCount: number
  readonly overdueCount: number
}

interface Outcome {
  /** From acceptance to the wire, of new events for endpoints that are well, ascending. */
  readonly waitsMs: readonly number[]
  readonly retriesDelivered: number
}

/** 1,000 events a second to 200 endpoints, of which `sickCount` never answer and as many answer after ten seconds. */
const simulate = ({ sickCount, overdueCount }: Simulated): Outcome => {
  const engine = createDispatchEngine<Delivery & { readonly acceptedAtMs: number }>({
    limits: DEFAULT_DISPATCH_LIMITS,
    endpointSettings: () => ({ concurrencyMax: 8, perSecondMax: null }),
  })
  const ahead = createAlarms<Happening>()
  const plan = (atMs: number, happen: (nowMs: number) => void): void => ahead.set({ wakeAtMs: 0, alarm: -1, happen }, atMs)
  const waitsMs: number[] = []
  let retriesDelivered = 0
  let freeAtMs = 0

  /** How long an endpoint takes, and how it ends: the first ones are dead, the next ones slow. */
  const callOf = (index: number, chainId: string): readonly [durationMs: number, result: 'succeeded' | 'failed'] => {
    if (index < sickCount) return [TIMEOUT_MS, 'failed']
    if (index < 2 * sickCount) return [SLOW_MS, 'succeeded']
    return [5 + 40 * unitInterval(chainId), 'succeeded']
  }
  const pump = (nowMs: number): void => {
    // One attempt at a time, as fast as the sender can.
    if (freeAtMs > nowMs) return
    const delivery = engine.next(nowMs)
    if (delivery === undefined) return
    const index = Number(delivery.endpointId)
    const [durationMs, result] = callOf(index, delivery.chainId)
    freeAtMs = nowMs + WORK_MS
    plan(freeAtMs, pump)
    plan(freeAtMs + durationMs, (atMs) => {
      engine.ended(delivery.chainId, result, atMs)
      if (delivery.lane === 'retry' && result === 'succeeded') retriesDelivered += 1
      pump(atMs)
    })
    if (delivery.lane === 'new' && index >= 2 * sickCount) waitsMs.push(freeAtMs - delivery.acceptedAtMs)
  }
  const offer = (lane: 'new' | 'retry', number: number, nowMs: number): void => {
    const index = number % ENDPOINT_COUNT
    engine.offer({ chainId: `${lane} ${number}`, endpointId: String(index), merchantId: `m${index}`, lane, acceptedAtMs: nowMs })
    pump(nowMs)
  }

  for (let number = 0; number < overdueCount; number++) offer('retry', number, 0)
  for (let number = 0; number < DURATION_MS; number++) plan(number, (nowMs) => offer('new', number, nowMs))
  for (let next = ahead.earliest(); next !== undefined && next.wakeAtMs < DURATION_MS + 1_000; next = ahead.earliest()) {
    ahead.cancel(next)
    next.happen(next.wakeAtMs)
  }
  return { waitsMs: waitsMs.sort((one, other) => one - other), retriesDelivered }
}

const quantile = ({ waitsMs }: Outcome, share: number): number => waitsMs[Math.floor(waitsMs.length * share)] ?? Number.NaN

describe('1,000 events a second to 200 endpoints for half a minute', () => {
  const well = simulate({ sickCount: 0, overdueCount: 0 })

  test('all of them start within milliseconds', () => {
    expect(well.waitsMs).toHaveLength(30_000)
    expect(quantile(well, 0.99)).toBeLessThanOrEqual(250)
  })

  test('ten dead and ten slow endpoints are not noticed by the others', () => {
    const sick = simulate({ sickCount: 10, overdueCount: 0 })
    expect(sick.waitsMs).toHaveLength(27_000)
    expect(quantile(sick, 0.99)).toBeLessThanOrEqual(quantile(well, 0.99) * 1.2)
  })

  test('100,000 overdue retries hold no new event up for a second, and are worked off beside them', () => {
    const backlog = simulate({ sickCount: 0, overdueCount: 100_000 })
    expect(backlog.waitsMs).toHaveLength(30_000)
    expect(quantile(backlog, 1 - 1e-9)).toBeLessThanOrEqual(1_000)
    expect(backlog.retriesDelivered).toBeGreaterThan(25_000)
  })

  test('both at once', () => {
    const both = simulate({ sickCount: 10, overdueCount: 100_000 })
    expect(both.waitsMs).toHaveLength(27_000)
    expect(quantile(both, 1 - 1e-9)).toBeLessThanOrEqual(1_000)
    expect(both.retriesDelivered).toBeGreaterThan(5_000)
  })
})
