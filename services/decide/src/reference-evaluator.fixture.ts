import type { PaymentsEvent, RuleEvaluated } from '@switchyard/events'
import {
  activeAlgorithm,
  type CompiledAlgorithmOf,
  isEvaluationError,
  onlyEligible,
  type ParameterValue,
  type RoutingAlgorithms,
} from '@switchyard/routing'
import type { RuleData } from '@switchyard/routing-data'
import { printEvaluation } from './routes/evaluate-answer.ts'
import { evaluateRequestOf } from './routes/evaluate-request.ts'
import { evaluationSchema } from './routes/evaluation-wire.ts'
import { inAscii } from './routes/quoted.ts'

/** What an evaluation of the live algorithm leads to; `json` and `event` only of an answered one. */
export interface ReferenceEvaluation {
  readonly status: 200 | 400 | 422
  readonly json?: string
  readonly event?: PaymentsEvent
}

const PARAMETER_TYPES: Readonly<Record<string, string>> = { integer: 'number', enum: 'enumVariant', text: 'text', metadata: 'metadata' }

/** The parameters in the order of the catalogue, the others behind them; undefined when one of them can't be used. */
const parametersByReference = (
  { keys, canonicalValue }: RuleData['catalogue'],
  sent: ReturnType<typeof evaluateRequestOf>['parameters'],
): readonly (readonly [string, ParameterValue])[] | undefined => {
  const parameters: [string, ParameterValue][] = []
  for (const name of [...keys.keys(), ...[...sent.keys()].filter((key) => !keys.has(key))]) {
    const value = sent.get(name) ?? null
    if (value === null) continue
    const type = keys.get(name)?.type ?? 'metadata'
    if (value.type === 'unusable' || value.type !== (PARAMETER_TYPES[type] ?? value.type)) return undefined
    const canonical = type === 'enum' ? canonicalValue(name, String(value.value)) : undefined
    if (type === 'enum' && canonical === undefined) return undefined
    parameters.push([name, canonical === undefined ? value : { type: 'enumVariant', value: canonical }])
  }
  return parameters
}

const textOf = (parameter: ParameterValue): string =>
  (parameter.type === 'metadata' ? `${parameter.key}=${parameter.value}` : String(parameter.value))
    .replace(/\d(?:[ -]?\d){12,18}/g, '[digits]')
    .slice(0, 255)

/** The way of an evaluation said plainly: schema, catalogue from end to end, values printed, the event put together of its parts. */
export const evaluateByReference = (
  { catalogue, eligibility }: RuleData,
  compiledOf: CompiledAlgorithmOf,
  { body, state }: { readonly body: unknown; readonly state: RoutingAlgorithms },
): ReferenceEvaluation => {
  const parsed = evaluationSchema.safeParse(body)
  if (!parsed.success) return { status: 422 }
  const { merchantId, paymentId, purpose, fallback, parameters: sent } = evaluateRequestOf(parsed.data)
  const parameters = parametersByReference(catalogue, sent)
  const algorithm = activeAlgorithm(state, purpose)
  if (parameters === undefined || algorithm === undefined || algorithm.kind === 'AB_TEST') return { status: 400 }
  const result = compiledOf(algorithm).evaluate(new Map(parameters), { paymentId, draw: () => 0, fallback })
  if (isEvaluationError(result)) return { status: 400 }
  const evaluation = onlyEligible(eligibility, new Map(parameters), result)
  const [evaluated, eligible] = [evaluation.evaluated, evaluation.eligible].map((list) => list.map(({ gatewayName }) => gatewayName))
  const { id: algorithmId, kind } = algorithm
  const { status, label: ruleName, drawnSlot } = evaluation
  const names = { gateway: evaluated?.[0] ?? eligible?.[0] ?? null, evaluated: evaluated ?? [], eligible: eligible ?? [] }
  const request = { merchantId, paymentId, requestId: 'r_1', at: 1_000 }
  const texts = Object.fromEntries(parameters.map(([name, value]) => [name, textOf(value)]))
  const noArm = { experimentId: null, experimentArm: null }
  const data: RuleEvaluated['data'] = { ...request, algorithmId, kind, status, ruleName, ...names, drawnSlot, parameters: texts, ...noArm }
  return { status: 200, json: inAscii(JSON.stringify(printEvaluation(paymentId, evaluation))), event: { type: 'RuleEvaluated', data } }
}
