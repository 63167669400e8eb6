import { describe, expect, test } from '@jest/globals'
import { analyticsCollections, DECISIONS_PAGE_MAX, paymentTimelines } from '@switchyard/analytics'
import { OperatingError, type ReadStore } from '@switchyard/kernel'
import { createCatalogue, createRuleEvaluator, printDefinition, type StoredAlgorithm } from '@switchyard/routing'
import { createMemoryStore } from '@switchyard/store-memory'
import { sampleGatewayDecided } from '@switchyard/testing'
import { runSimulation, type Simulation } from './run-simulation.ts'
import { createSimulatePage, type SimulatePage } from './simulate-page.ts'

const merchantId = 'm_1'
const evaluator = createRuleEvaluator(createCatalogue([['currency', { type: 'enum', values: ['EUR', 'USD'] }]]))

const stored = (definition: string): StoredAlgorithm => ({
  id: 'draft',
  name: 'draft',
  description: '',
  purpose: 'PAYMENT',
  kind: 'ADVANCED',
  definition,
  createdAt: 0,
  modifiedAt: 0,
})
/** Euros go to stripe, everything else to adyen. */
const eurosToStripe = stored(
  printDefinition({
    kind: 'ADVANCED',
    program: {
      globals: [],
      defaultSelection: { form: 'single', connector: { gatewayName: 'adyen', gatewayId: null } },
      rules: [
        {
          name: 'euros',
          routingType: 'priority',
          output: { form: 'priority', connectors: [{ gatewayName: 'stripe', gatewayId: null }] },
          statements: [
            {
              conditions: [{ key: 'currency', comparison: 'equal', value: { type: 'enumVariant', value: 'EUR' }, metadata: {} }],
              nested: [],
            },
          ],
        },
      ],
      metadata: null,
    },
  }),
)

/** A store with decisions for adyen, every second one in euros, each a millisecond after the other; three at a time at the same one. */
const storeWith = async (count: number): Promise<ReadStore> => {
  const store = createMemoryStore({ collections: analyticsCollections })
  for (let offset = 0; offset < count; offset++) {
    const event = sampleGatewayDecided({
      merchantId,
      paymentId: `p_${offset}`,
      at: 1_000 + Math.floor(offset / 3),
      currency: offset % 2 === 0 ? 'EUR' : 'USD',
      candidates: ['adyen', 'stripe'],
      gateway: 'adyen',
    })
    const record = { event, effects: [], position: { partition: 0, offset }, eventId: `e_${offset}` }
    const [key] = paymentTimelines.keysOf(record)
    if (key === undefined) throw new Error('a decision has its timeline')
    const body = paymentTimelines.project(paymentTimelines.initialView(key), record, key)
    await store.write([{ collection: paymentTimelines.name, key, position: record.position, body }])
  }
  return store
}

const linesOf = async (simulatePage: SimulatePage, change: Partial<Simulation> = {}): Promise<readonly Record<string, unknown>[]> => {
  const query = { startMs: 0, endMs: 1_000_000, page: null }
  const lines: Record<string, unknown>[] = []
  for await (const line of runSimulation(simulatePage, {
    merchantId,
    algorithm: eurosToStripe,
    query,
    historySince: 0,
    countMax: 100_000,
    ...change,
  })) {
    lines.push(JSON.parse(line))
  }
  return lines
}

describe('simulation', () => {
  const count = 2 * DECISIONS_PAGE_MAX + 50

  test('it goes through all pages, each payment once, with progress after each', async () => {
    const lines = await linesOf(createSimulatePage({ store: await storeWith(count), evaluator }))
    expect(lines.map(({ type, examined }) => [type, examined])).toEqual([
      ['progress', DECISIONS_PAGE_MAX],
      ['progress', 2 * DECISIONS_PAGE_MAX],
      ['progress', count],
      ['result', count],
    ])
    expect(lines.at(-1)).toMatchObject({
      truncated: false,
      changed: { payments: count / 2 },
      unchanged: { payments: count / 2 },
      moves: [{ from: 'adyen', to: 'stripe', payments: count / 2, approval_rate: null }],
    })
  })

  test('the limit cuts within a page, and says so; the exact number does not', async () => {
    const simulatePage = createSimulatePage({ store: await storeWith(count), evaluator })
    const cut = await linesOf(simulatePage, { countMax: DECISIONS_PAGE_MAX + 1 })
    expect(cut.at(-1)).toMatchObject({ examined: DECISIONS_PAGE_MAX + 1, truncated: true })
    expect((await linesOf(simulatePage, { countMax: count })).at(-1)).toMatchObject({ examined: count, truncated: false })
  })

  test('only decisions of the time count, and none from before the history of the merchant', async () => {
    const simulatePage = createSimulatePage({ store: await storeWith(30), evaluator })
    const query = { startMs: 1_002, endMs: 1_003, page: null }
    expect((await linesOf(simulatePage, { query })).at(-1)).toMatchObject({ examined: 6 })
    expect((await linesOf(simulatePage, { historySince: 1_009 })).at(-1)).toMatchObject({ examined: 3 })
    expect((await linesOf(simulatePage, { query: { paymentIds: ['p_0', 'p_29'] }, historySince: 1_009 })).at(-1)).toMatchObject({
      examined: 1,
    })
  })

  test('payments by name are read in pages too', async () => {
    const simulatePage = createSimulatePage({ store: await storeWith(count), evaluator })
    const paymentIds = Array.from({ length: count }, (_, index) => `p_${index}`)
    const lines = await linesOf(simulatePage, { query: { paymentIds } })
    expect(lines.map(({ examined }) => examined)).toEqual([DECISIONS_PAGE_MAX, 2 * DECISIONS_PAGE_MAX, count, count])
  })

  test('an algorithm that has no answer counts apart', async () => {
    const lines = await linesOf(createSimulatePage({ store: await storeWith(3), evaluator }), { algorithm: stored('?') })
    expect(lines.at(-1)).toMatchObject({ examined: 3, not_evaluated: { payments: 3 }, changed: { payments: 0 } })
  })

  test('a store that is away ends it with a line that says so; a bug is no answer', async () => {
    const failing =
      (error: Error): SimulatePage =>
      () =>
        Promise.reject(error)
    const away = failing(new OperatingError('STORE_UNAVAILABLE', 'gone', { retryable: true }))
    expect(await linesOf(away)).toEqual([{ type: 'error', code: 'TE_01', message: expect.stringContaining('send it again later') }])
    await expect(linesOf(failing(new TypeError('a bug')))).rejects.toThrow('a bug')
  })
})
