import { NAME_LENGTH_MAX } from '@switchyard/kernel'
import {
  CONDITION_TYPES,
  type ConnectorWire,
  type EvaluationWire,
  FALLBACK_COUNT_MAX,
  PARAMETER_COUNT_MAX,
  PURPOSE_WORDS,
} from './evaluation-wire.ts'
import { isFlagOrNone, isIdOrNone, isListOrNone, isNullish, isObject, isOneOf, isText, isTextOf, type Members } from './plain-values.ts'

const isConditionType = isOneOf(CONDITION_TYPES)
const isPurpose = isOneOf(PURPOSE_WORDS)

const isMetadata = (sent: unknown): boolean => {
  if (!isObject(sent)) return false
  const { key, value }: Members<{ key: string; value: string }> = sent
  return isText(key) && isText(value)
}

const isParameter = (sent: unknown): boolean => {
  if (!isObject(sent)) return sent === null
  const { type, value }: Members<{ type: string; value: unknown }> = sent
  switch (type) {
    case 'number':
      return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
    case 'enum_variant':
    case 'str_value':
      return isText(value)
    case 'metadata_variant':
      return isMetadata(value)
    default:
      return isConditionType(type)
  }
}

const areParameters = (sent: unknown): boolean => {
  if (!isObject(sent)) return false
  let count = 0
  for (const name in sent) {
    count += 1
    if (name.length > NAME_LENGTH_MAX || !isParameter(Reflect.get(sent, name))) return false
  }
  return count <= PARAMETER_COUNT_MAX
}

const isConnector = (sent: unknown): boolean => {
  if (!isObject(sent)) return false
  const { gateway_name, gateway_id }: Members<ConnectorWire> = sent
  return isTextOf(gateway_name, NAME_LENGTH_MAX) && (isNullish(gateway_id) || isTextOf(gateway_id, NAME_LENGTH_MAX))
}

/**
 * Whether the schema accepts a body, told in a tenth of the schema's time. What is refused here is left to the schema, which
 * names the member that is wrong; a property test holds the two to each other.
 */
export const isPlainEvaluation = (body: unknown): body is EvaluationWire => {
  if (!isObject(body)) return false
  const sent: Members<EvaluationWire> = body
  return (
    isText(sent.created_by) &&
    areParameters(sent.parameters) &&
    isIdOrNone(sent.payment_id) &&
    isListOrNone(sent.fallback_output, FALLBACK_COUNT_MAX, isConnector) &&
    (isNullish(sent.routing_algorithm_id) || isText(sent.routing_algorithm_id)) &&
    (isNullish(sent.algorithm_for) || isPurpose(sent.algorithm_for)) &&
    isFlagOrNone(sent.trace)
  )
}
