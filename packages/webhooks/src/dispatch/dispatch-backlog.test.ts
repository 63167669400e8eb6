import { describe, expect, test } from '@jest/globals'
import { dispatchRun } from './dispatch.fixture.ts'
import { createDispatchEngine } from './dispatch-engine.ts'
import { DEFAULT_DISPATCH_LIMITS } from './dispatch-limits.ts'
import type { Delivery } from './endpoint-queue.ts'

describe('a backlog of 100,000 overdue retries', () => {
  test('lets a new event of the same endpoint start next, and one of another at once', () => {
    const run = dispatchRun({ waitingPerEndpointMax: 100_000 }, { a: { concurrencyMax: 1, perSecondMax: null } })
    for (let index = 0; index < 100_000; index++) run.offer('a', 'retry')
    run.pump()
    run.offer('a')
    run.offer('b')
    expect(run.pump()).toMatchObject([{ endpointId: 'b' }])
    run.end('c1', 'succeeded')
    expect(run.pump()).toMatchObject([{ endpointId: 'a', lane: 'new' }])
  })

  test('over 1,000 endpoints takes no place from new events of others', () => {
    const run = dispatchRun()
    for (let index = 0; index < 100_000; index++) run.offer(`e${index % 1000}`, 'retry')
    run.pump()
    expect(run.underWay.size).toBe(128)
    for (let index = 0; index < 200; index++) run.offer(`f${index}`)
    expect(run.pump().filter(({ endpointId }) => endpointId.startsWith('f'))).toHaveLength(200)
  })

  test('gives way while new events wait for places, down to a few', () => {
    const run = dispatchRun({ underWayMax: 40, reservedCount: 0, retriesUnderWayMax: 30, retriesUnderWayMin: 4 })
    for (let index = 0; index < 1_000; index++) run.offer(`e${index % 100}`, 'retry')
    for (let index = 0; index < 1_000; index++) run.offer(`e${index % 100}`, 'new')
    run.pump()
    expect(run.engine.figures(run.now()).underWay.retry).toBeLessThanOrEqual(30)
    for (const chainId of run.underWay.keys()) {
      run.end(chainId, 'succeeded')
      run.pump()
      if (run.started.length > 200) break
    }
    expect(run.engine.figures(run.now()).underWay).toEqual({ new: 36, retry: 4 })
  })

  test('costs a step no more than a few looks at endpoints', () => {
    let looks = 0
    const engine = createDispatchEngine<Delivery>({
      limits: DEFAULT_DISPATCH_LIMITS,
      endpointSettings: () => {
        looks += 1
        return { concurrencyMax: 8, perSecondMax: null }
      },
    })
    const offer = (chainId: string, index: number): unknown =>
      engine.offer({ chainId, endpointId: `e${index % 1000}`, merchantId: `m${index % 100}`, lane: 'retry' })
    for (let index = 0; index < 100_000; index++) offer(`c${index}`, index)
    const underWay: string[] = []
    let steps = 100_000
    for (let delivery = engine.next(0); delivery !== undefined; delivery = engine.next(0)) underWay.push(delivery.chainId)
    while (underWay.length > 0) {
      engine.ended(underWay.shift() ?? '', 'succeeded', 0)
      for (let delivery = engine.next(0); delivery !== undefined; delivery = engine.next(0)) underWay.push(delivery.chainId)
      steps += 2
    }
    expect(engine.figures(0).waiting.retry).toBe(0)
    expect(looks).toBeLessThan(steps * 4)
  })
})
