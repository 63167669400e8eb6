import { type PlatformErrorCode, platformError, type RouteReply } from '@switchyard/http'
import { assertNever, type Position } from '@switchyard/kernel'
import {
  type AlgorithmPart,
  type AlgorithmProblem,
  type ConditionProblem,
  type ExperimentField,
  parseDefinition,
  type RoutingAlgorithmsRejection,
  SPLIT_TOTAL,
  type SplitWarning,
  type StoredAlgorithm,
} from '@switchyard/routing'
import { positionToken } from '@switchyard/runtime'
import { printAlgorithm } from './algorithm-wire.ts'
import { LIST_LIMIT_MAX, printPurpose } from './routing-requests.ts'
import { describeCondition, type ValidationError } from './validation-errors.ts'

const CODE: PlatformErrorCode = 'TE_04'

/** Epoch milliseconds as RFC 3339 with `Z`. */
export const printTime = (at: number): string => new Date(at).toISOString()

/** Headers of an answer to a write; nothing recorded, no position. */
export const positionHeaders = (position: Position | undefined): Readonly<Record<string, string>> =>
  position === undefined ? {} : { 'x-log-position': positionToken('config', position) }

const EXPERIMENT_FIELDS: Readonly<Record<ExperimentField, string>> = {
  controlAlgorithmId: 'control_algorithm_id',
  variantAlgorithmId: 'variant_algorithm_id',
  variantSplitPercent: 'variant_split_pct',
  minSampleSize: 'min_sample_size',
  guardrailThresholdPp: 'guardrail_threshold_pp',
  controlOverrides: 'control_sr_config',
  variantOverrides: 'variant_sr_config',
}

const placeOf = (where: AlgorithmPart | AlgorithmProblem['where']): string => {
  switch (where.part) {
    case 'algorithm':
      return 'algorithm.data'
    case 'default':
      return 'algorithm.data.default_selection'
    case 'experiment':
      return `algorithm.data.${EXPERIMENT_FIELDS[where.field]}`
    case 'rule':
      return `algorithm.data.rules[${where.index}]`
    default:
      return assertNever(where)
  }
}

const ERROR_TYPES: Readonly<Record<AlgorithmProblem['reason'], string>> = {
  SPLIT_WITHOUT_WEIGHT: 'split_without_weight',
  ROUTING_TYPE_MISMATCH: 'routing_type_mismatch',
  TOO_MANY_RULES: 'too_many_rules',
  TOO_MANY_CONDITIONS: 'too_many_conditions',
  NESTED_TOO_DEEPLY: 'nested_too_deeply',
  EXPERIMENT_OUT_OF_RANGE: 'out_of_range',
  ARM_NOT_FOUND: 'arm_not_found',
  ARM_IS_EXPERIMENT: 'arm_is_experiment',
  ARMS_ALIKE: 'arms_alike',
}

const textOfProblem = (problem: AlgorithmProblem): string => {
  const place = placeOf(problem.where)
  switch (problem.reason) {
    case 'SPLIT_WITHOUT_WEIGHT':
      return `${place}: a split needs at least one entry with a share above 0`
    case 'ROUTING_TYPE_MISMATCH':
      return `${place}: routing_type and output are of different forms`
    case 'TOO_MANY_RULES':
      return `${place}: more than ${problem.limit} rules`
    case 'TOO_MANY_CONDITIONS':
      return `${place}: more than ${problem.limit} conditions`
    case 'NESTED_TOO_DEEPLY':
      return `${place}: statements are nested more than ${problem.limit} deep`
    case 'EXPERIMENT_OUT_OF_RANGE':
    case 'ARM_NOT_FOUND':
    case 'ARM_IS_EXPERIMENT':
    case 'ARMS_ALIKE':
      return `${place}: ${problem.expected}`
    default:
      return assertNever(problem)
  }
}

const textOfWarning = ({ where, total }: SplitWarning): string =>
  `${placeOf(where)}: the shares add up to ${total} instead of ${SPLIT_TOTAL} and count as relative weights`

/** `{rule_id, name, algorithm_for, created_at, modified_at}` of create and update; `warnings` only when there are any. */
export const printSummary = ({ id, name, purpose, createdAt, modifiedAt }: StoredAlgorithm, warnings: readonly SplitWarning[]): object => ({
  rule_id: id,
  name,
  algorithm_for: printPurpose(purpose),
  created_at: printTime(createdAt),
  modified_at: printTime(modifiedAt),
  ...(warnings.length > 0 && { warnings: warnings.map(textOfWarning) }),
})

/**
 * The algorithm as lists show it; null for what this release can't read, as that of a newer one: one recorded text must not end
 * all lists of its merchant.
 */
const printStored = ({ kind, definition }: StoredAlgorithm): ReturnType<typeof printAlgorithm> | null => {
  if (kind === 'UNKNOWN') return null
  try {
    return printAlgorithm(parseDefinition(kind, definition))
  } catch {
    return null
  }
}

/** A full record of the lists (rules.md 3.5). */
export const printRecord = (merchantId: string, stored: StoredAlgorithm): object => ({
  id: stored.id,
  created_by: merchantId,
  name: stored.name,
  description: stored.description,
  algorithm_data: printStored(stored),
  algorithm_for: printPurpose(stored.purpose),
  created_at: printTime(stored.createdAt),
  modified_at: printTime(stored.modifiedAt),
})

const invalid = (detail: string, data: object | null = null): RouteReply =>
  platformError(400, CODE, `Invalid request received : ${detail}`, data)

/** Most wrong conditions that one answer lists; each may repeat all values of a key. */
const VALIDATION_ERROR_COUNT_MAX = 200

const describeProblem = (problem: AlgorithmProblem): ValidationError => {
  const path = placeOf(problem.where)
  return {
    field: path,
    error_type: ERROR_TYPES[problem.reason],
    message: textOfProblem(problem),
    path: path.replace(/^algorithm\.data\./, ''),
  }
}

/** All that is wrong with an algorithm: its conditions in their order, then the rest (rules.md 5, Q1). */
const invalidAlgorithm = (problems: readonly AlgorithmProblem[], conditions: readonly ConditionProblem[]): RouteReply => {
  const errorCount = conditions.length + problems.length
  const listed = [
    ...conditions.slice(0, VALIDATION_ERROR_COUNT_MAX).map(describeCondition),
    ...problems.slice(0, VALIDATION_ERROR_COUNT_MAX).map(describeProblem),
  ].slice(0, VALIDATION_ERROR_COUNT_MAX)
  const unlisted = errorCount - listed.length
  const text = [...listed.map(({ message }) => message), ...(unlisted > 0 ? [`and ${unlisted} more`] : [])].join('; ')
  const data = { validation_errors: listed, ...(unlisted > 0 && { unlisted_errors: unlisted }) }
  return conditions.length > 0 ? platformError(400, CODE, `Field validation failed: ${text}`, data) : invalid(text, data)
}

/** The 400 of a create body that does not fit (rules.md 1.3). */
export const unparsableRule = (path: string, detail: string): RouteReply => invalid(`could not parse routing rule: ${path}: ${detail}`)

/** The 400 of a list's query. */
export const unusablePage = (): RouteReply =>
  platformError(400, CODE, `Failed to deserialize query string: limit (at most ${LIST_LIMIT_MAX}) and offset must be whole numbers`)

const textOfLimit = ({ code, limit }: Extract<RoutingAlgorithmsRejection, { readonly limit: number }>): string => {
  switch (code) {
    case 'TOO_MANY_ALGORITHMS':
      return `a merchant can store at most ${limit} routing algorithms`
    case 'DEFINITION_TOO_LONG':
      return `an algorithm can have at most ${limit} bytes`
    case 'DEFINITIONS_TOO_LONG':
      return `the algorithms of a merchant can have at most ${limit} bytes in total`
    default:
      return assertNever(code)
  }
}

/** What a refused write is answered (rules.md 1.3, 3.2 to 3.4); an unknown algorithm has its own status for each operation. */
export const routingRefusal = (
  rejection: RoutingAlgorithmsRejection | { readonly code: 'CONFLICT' },
  statusOfUnknown: 400 | 404,
): RouteReply => {
  if ('limit' in rejection) return invalid(textOfLimit(rejection))
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return platformError(404, CODE, 'MerchantId not found')
    case 'ALGORITHM_EXISTS':
      return platformError(409, CODE, `Routing algorithm already exists for the provided id : ${rejection.algorithmId}`)
    case 'ALGORITHM_NOT_FOUND':
      return platformError(statusOfUnknown, CODE, `Routing algorithm not found for the provided id : ${rejection.algorithmId}`)
    case 'ALGORITHM_ACTIVE':
      return invalid('This experiment is active. Stop it before editing or deleting.')
    case 'ALGORITHM_IN_EXPERIMENT':
      return invalid(`The live experiment ${rejection.experimentId} compares this algorithm. Stop it before editing or deleting.`)
    case 'NOT_AN_EXPERIMENT':
      return invalid(`routing_algorithm_id: ${rejection.algorithmId} is no experiment`)
    case 'ALGORITHM_INVALID':
      return invalidAlgorithm(rejection.problems, rejection.conditions)
    case 'CONFLICT':
      return platformError(409, CODE, 'The routing algorithms were changed by others at the same time; try again')
    default:
      return assertNever(rejection)
  }
}
