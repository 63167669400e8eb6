import type { PaymentsEvent, RuleEvaluated } from '@switchyard/events'
import type { ConnectorReference, Evaluation, Parameters, ParameterValue } from '@switchyard/routing'
import { TEXT_LENGTH_MAX } from '../limits.ts'
import { type Answering, labelOf, recordedKind } from './evaluate-experiment.ts'
import { maskedText } from './free-text.ts'

/** What events say of the request. */
export interface RecordedRequest {
  readonly merchantId: string
  readonly paymentId: string | null
  readonly requestId: string
  readonly at: number
}

/** What was evaluated, and what it answers. */
export interface Evaluated {
  readonly answering: Answering
  readonly parameters: Parameters
  readonly evaluation: Evaluation
}

const textOf = (parameter: ParameterValue): string => {
  if (parameter.type === 'number') return String(parameter.value)
  return maskedText(parameter.type === 'metadata' ? `${parameter.key}=${parameter.value}` : parameter.value, TEXT_LENGTH_MAX)
}

const textsOf = (parameters: Parameters): RuleEvaluated['data']['parameters'] => {
  const texts: Record<string, string> = {}
  // Going through a map by its entries makes a list for each of them.
  parameters.forEach((parameter, name) => {
    texts[maskedText(name, TEXT_LENGTH_MAX)] = textOf(parameter)
  })
  return texts
}

const nameOf = ({ gatewayName }: ConnectorReference): string => gatewayName

/** What is recorded of an evaluation. Named one by one: spreads of that many members took longer than evaluating. */
export const ruleEvaluated = (request: RecordedRequest, { answering, parameters, evaluation }: Evaluated): PaymentsEvent => {
  const evaluated = evaluation.evaluated.map(nameOf)
  const eligible = evaluation.eligible.map(nameOf)
  const { algorithm, arm } = answering
  return {
    type: 'RuleEvaluated',
    data: {
      merchantId: request.merchantId,
      paymentId: request.paymentId,
      requestId: request.requestId,
      at: request.at,
      algorithmId: algorithm.id,
      kind: recordedKind(algorithm),
      status: evaluation.status,
      ruleName: labelOf(answering, evaluation),
      gateway: evaluated[0] ?? eligible[0] ?? null,
      evaluated,
      eligible,
      drawnSlot: evaluation.drawnSlot,
      parameters: textsOf(parameters),
      experimentId: arm?.experimentId ?? null,
      experimentArm: arm?.arm ?? null,
    },
  }
}
