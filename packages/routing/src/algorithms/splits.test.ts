import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ConnectorReference, Output, StaticAlgorithm } from './algorithm.ts'
import { compileAlgorithm } from './compile-algorithm.ts'
import { distinct, drawSlot } from './compile-output.ts'
import { type Evaluation, type EvaluationContext, isEvaluationError } from './evaluation.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'

const ref = (gatewayName: string, gatewayId: string | null = null): ConnectorReference => ({ gatewayName, gatewayId })
const [A, B, C] = [ref('A'), ref('B'), ref('C')]
const drawing = (unit: number): EvaluationContext => ({ paymentId: null, draw: () => unit, fallback: [] })
const ofPayment = (paymentId: string): EvaluationContext => ({ paymentId, draw: () => 0, fallback: [] })

const evaluate = (algorithm: StaticAlgorithm, context: EvaluationContext, algorithmId = 'routing_1'): Evaluation => {
  const result = compileAlgorithm(algorithmId, algorithm, sampleCatalogue).evaluate(new Map(), context)
  if (isEvaluationError(result)) throw new Error(result.code)
  return result
}
const split = (...entries: readonly (readonly [number, ConnectorReference])[]): StaticAlgorithm => ({
  kind: 'VOLUME_SPLIT',
  output: { form: 'volumeSplit', splits: entries.map(([weight, connector]) => ({ weight, connector })) },
})
const advanced = (defaultSelection: Output): StaticAlgorithm => ({
  kind: 'ADVANCED',
  program: { globals: [], defaultSelection, rules: [], metadata: null },
})
const weights = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 12 }).filter((list) => list.some((w) => w > 0))
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('drawing a slot', () => {
  test.each([
    [[70, 30], 0.699, 0],
    [[70, 30], 0.7, 1],
    [[3, 1], 0.7499, 0],
    [[3, 1], 0.75, 1],
    [[0, 5, 5], 0, 1],
    [[0, 5, 5], 0.5, 2],
    [[200, 100], 0.67, 1],
    [[128, 128], 0.5, 1],
    [[5, 0], 0.999999, 0],
  ])('weights %j at %f: slot %i', (list, at, slot) => expect(drawSlot(list, at)).toBe(slot))

  test('nothing is drawn from nothing', () => {
    expect(drawSlot([], 0.5)).toBeUndefined()
    expect(drawSlot([0, 0], 0)).toBeUndefined()
  })
  test('a slot without weight never wins, and every draw has a winner', () => {
    fc.assert(fc.property(weights, unit, (list, at) => expect(list[drawSlot(list, at) ?? -1]).toBeGreaterThan(0)))
    expect(drawSlot([1, 255, 0], 1 - 2 ** -53)).toBe(1)
  })
  test('the slots cover the unit interval in shares of the total', () => {
    fc.assert(
      fc.property(weights, (list) => {
        const total = list.reduce((sum, w) => sum + w, 0)
        const counts = list.map(() => 0)
        for (let i = 0; i < total; i++) {
          const slot = drawSlot(list, (i + 0.5) / total) ?? -1
          counts[slot] = (counts[slot] ?? 0) + 1
        }
        expect(counts).toEqual(list)
      }),
    )
  })
})

describe('volume splits', () => {
  test('the winner comes first, the others in configured order', () => {
    const algorithm = split([1, A], [1, B], [1, C])
    expect(evaluate(algorithm, drawing(0.5))).toMatchObject({
      evaluated: [B, A, C],
      eligible: [A, B, C],
      drawnSlot: 1,
      label: 'volume_split_rule',
    })
    expect(evaluate(algorithm, drawing(0.9)).evaluated).toEqual([C, A, B])
  })
  test('repeated connectors stay in the answer and are listed once as eligible', () => {
    const { evaluated, eligible } = evaluate(split([1, A], [1, A], [1, ref('A', '2')]), drawing(0.9))
    expect(evaluated).toEqual([ref('A', '2'), A, A])
    expect(eligible).toEqual([A, ref('A', '2')])
  })
  test('split and priority: the drawn list first, then the others, each connector once', () => {
    const splits = [
      { weight: 60, connectors: [A, B] },
      { weight: 40, connectors: [C, A] },
    ]
    const algorithm = advanced({ form: 'volumeSplitPriority', splits })
    expect(evaluate(algorithm, drawing(0.6))).toMatchObject({ evaluated: [C, A, B], eligible: [A, B, C], drawnSlot: 1 })
    expect(evaluate(algorithm, drawing(0.59)).evaluated).toEqual([A, B, C])
  })
  test('short lists and long ones drop what is repeated, and nothing else', () => {
    const references = fc.array(
      fc.record({ gatewayName: fc.constantFrom('A', 'B', 'A","'), gatewayId: fc.constantFrom(null, 'null', '', 'A') }),
      { maxLength: 24, size: 'max' },
    )
    const isSame = (a: ConnectorReference, b: ConnectorReference): boolean => a.gatewayName === b.gatewayName && a.gatewayId === b.gatewayId
    fc.assert(
      fc.property(references, (list) => {
        expect(distinct(list)).toEqual(list.filter((one, at) => list.findIndex((other) => isSame(one, other)) === at))
      }),
    )
  })
  test('a split without weight is an error', () => {
    const failed = { code: 'SPLIT_NOT_DRAWN', source: 'algorithm' }
    expect(compileAlgorithm('r', split(), sampleCatalogue).evaluate(new Map(), drawing(0))).toEqual(failed)
    const inProgram = advanced({ form: 'volumeSplit', splits: [{ weight: 0, connector: A }] })
    expect(compileAlgorithm('r', inProgram, sampleCatalogue).evaluate(new Map(), drawing(0))).toEqual({ ...failed, source: 'program' })
  })
  test('the answer is a permutation of the declared connectors', () => {
    const connector = fc.constantFrom(A, B, C, ref('A', '1'))
    const names = (list: readonly ConnectorReference[]): readonly string[] => list.map((entry) => JSON.stringify(entry)).sort()
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 255 }), connector), { minLength: 1 }), unit, (entries, at) => {
        const { evaluated } = evaluate(split(...entries), drawing(at))
        expect(names(evaluated)).toEqual(names(entries.map(([, declared]) => declared)))
      }),
    )
  })
  test('the order of the splits does not change which connectors can win', () => {
    const winners = (algorithm: StaticAlgorithm): ReadonlySet<string | undefined> =>
      new Set(Array.from({ length: 200 }, (_, i) => evaluate(algorithm, drawing(i / 200)).evaluated[0]?.gatewayName))
    const entries = [
      [10, A],
      [0, B],
      [30, C],
    ] as const
    fc.assert(
      fc.property(fc.shuffledSubarray([...entries], { minLength: 3 }), (shuffled) => {
        expect(winners(split(...shuffled))).toEqual(new Set(['A', 'C']))
      }),
    )
  })
})

describe('draws by payment', () => {
  const algorithm = split([70, A], [30, B])

  test('a payment always gets the same answer, and another algorithm draws anew', () => {
    const answers = (algorithmId: string): string =>
      Array.from({ length: 64 }, (_, i) => evaluate(algorithm, ofPayment(`pay_${i}`), algorithmId).drawnSlot).join('')
    expect(answers('routing_1')).toBe(answers('routing_1'))
    expect(answers('routing_1')).not.toBe(answers('routing_2'))
  })
  test('the shares of 20,000 sequential payments are those configured: chi-square below its 0.1 % point', () => {
    const list = [50, 25, 15, 10]
    const counts = [0, 0, 0, 0]
    const uneven = split(...list.map((weight, i): [number, ConnectorReference] => [weight, ref(`g${i}`)]))
    const compiled = compileAlgorithm('routing_1', uneven, sampleCatalogue)
    for (let i = 0; i < 20_000; i++) {
      const result = compiled.evaluate(new Map(), ofPayment(`pay_${i}`))
      const slot = isEvaluationError(result) ? -1 : (result.drawnSlot ?? -1)
      counts[slot] = (counts[slot] ?? 0) + 1
    }
    const chiSquare = counts.reduce((sum, n, i) => sum + (n - 200 * (list[i] ?? 0)) ** 2 / (200 * (list[i] ?? 0)), 0)
    expect(chiSquare).toBeLessThan(16.27)
  })
})
