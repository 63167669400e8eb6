import { describe, expect, test } from '@jest/globals'
import type { Evaluation, Output } from '@switchyard/routing'
import fc from 'fast-check'
import { printEvaluation } from './evaluate-answer.ts'
import { evaluationJson } from './evaluation-json.ts'
import { inAscii } from './quoted.ts'

const text = fc.oneof(
  // No backslash alone: `JSON.parse` of Node 24 takes other escaped members of one character for it.
  fc.constantFrom('adyen', 'stripe:mca_1', '__proto__', '', '"', '\\\\', 'a\u0000b', '\ud800'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const connector = fc.record({ gatewayName: text, gatewayId: fc.option(text) })
const connectors = fc.array(connector, { maxLength: 4 })
const weight = fc.oneof(fc.nat(100), fc.double({ noNaN: true, noDefaultInfinity: true }))
const output: fc.Arbitrary<Output> = fc.oneof(
  fc.record({ form: fc.constant('single' as const), connector }),
  fc.record({ form: fc.constant('priority' as const), connectors }),
  fc.record({ form: fc.constant('volumeSplit' as const), splits: fc.array(fc.record({ weight, connector }), { maxLength: 4 }) }),
  fc.record({ form: fc.constant('volumeSplitPriority' as const), splits: fc.array(fc.record({ weight, connectors }), { maxLength: 3 }) }),
)
const evaluation: fc.Arbitrary<Evaluation> = fc.record({
  status: fc.constantFrom('SUCCESS' as const, 'DEFAULT_SELECTION' as const),
  ruleName: fc.option(text),
  label: fc.option(text),
  output,
  evaluated: connectors,
  eligible: connectors,
  drawnSlot: fc.option(fc.nat(3)),
})

describe('the text of an evaluation', () => {
  test('is that of its answer, byte by byte, in ASCII', () => {
    fc.assert(
      fc.property(fc.option(text), evaluation, (paymentId, evaluated) => {
        expect(evaluationJson(paymentId, evaluated)).toBe(inAscii(JSON.stringify(printEvaluation(paymentId, evaluated))))
      }),
      { numRuns: 3_000 },
    )
  })
})
