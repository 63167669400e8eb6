import { type ParsedBody, parseBody } from '@switchyard/http'
import type { ConnectorReference, KnownPurpose, SentParameter } from '@switchyard/routing'
import { type ConnectorWire, type EvaluationWire, evaluationSchema, type ParameterWire } from './evaluation-wire.ts'
import { isPlainEvaluation } from './plain-evaluation.ts'

/** What the body of `/routing/evaluate` says (rules.md 6.1). */
export interface EvaluateRequest {
  readonly merchantId: string
  readonly paymentId: string | null
  readonly parameters: ReadonlyMap<string, SentParameter>
  readonly fallback: readonly ConnectorReference[]
  /** Which live algorithm is meant. */
  readonly purpose: KnownPurpose
  /** An algorithm to try out instead of the live one. */
  readonly algorithmId: string | null
  /** Asks for what became of each rule. */
  readonly isTraced: boolean
}

const UNUSABLE: SentParameter = { type: 'unusable' }

const parameterOf = (sent: ParameterWire): SentParameter => {
  switch (sent.type) {
    case 'number':
      return { type: 'number', value: sent.value }
    case 'enum_variant':
      return { type: 'enumVariant', value: sent.value }
    case 'str_value':
      return { type: 'text', value: sent.value }
    case 'metadata_variant':
      return { type: 'metadata', key: sent.value.key, value: sent.value.value }
    default:
      return UNUSABLE
  }
}

const parametersOf = (sent: EvaluationWire['parameters']): ReadonlyMap<string, SentParameter> => {
  const parameters = new Map<string, SentParameter>()
  for (const name in sent) {
    const parameter = sent[name] ?? null
    parameters.set(name, parameter && parameterOf(parameter))
  }
  return parameters
}

const PURPOSES = {
  payment: 'PAYMENT',
  payout: 'PAYOUT',
  three_ds_authentication: 'THREE_DS_AUTHENTICATION',
} as const satisfies Readonly<Record<NonNullable<EvaluationWire['algorithm_for']>, KnownPurpose>>

const connectorOf = ({ gateway_name, gateway_id }: ConnectorWire): ConnectorReference => ({
  gatewayName: gateway_name,
  gatewayId: gateway_id ?? null,
})

/** What a body says that the schema accepts. */
export const evaluateRequestOf = (sent: EvaluationWire): EvaluateRequest => ({
  merchantId: sent.created_by,
  paymentId: sent.payment_id ?? null,
  parameters: parametersOf(sent.parameters),
  fallback: sent.fallback_output?.map(connectorOf) ?? [],
  purpose: PURPOSES[sent.algorithm_for ?? 'payment'],
  algorithmId: sent.routing_algorithm_id ?? null,
  isTraced: sent.trace ?? false,
})

/** Reads the body of `/routing/evaluate`. Unknown members are ignored. */
export const parseEvaluation = (body: unknown): ParsedBody<EvaluateRequest> => {
  if (isPlainEvaluation(body)) return { ok: true, value: evaluateRequestOf(body) }
  const parsed = parseBody(evaluationSchema, body)
  return parsed.ok ? { ok: true, value: evaluateRequestOf(parsed.value) } : parsed
}
