import { platformError, type RouteReply } from '@switchyard/http'
import { assertNever } from '@switchyard/kernel'
import type { EvaluationError, ParameterProblem, RoutingKey } from '@switchyard/routing'

/** Why the arm of an experiment could not answer. */
type ArmRefusal =
  | { readonly code: 'NO_FALLBACK_FOR_ARM' | 'ALGORITHM_IS_EXPERIMENT' }
  | { readonly code: 'ARM_ALGORITHM_NOT_FOUND'; readonly algorithmId: string }

/** Why an evaluation could not be answered. */
export type EvaluationRefusal =
  | ParameterProblem
  | EvaluationError
  | ArmRefusal
  | { readonly code: 'NO_ACTIVE_ALGORITHM'; readonly merchantId: string }
  | { readonly code: 'ALGORITHM_NOT_FOUND'; readonly algorithmId: string }

/** What is answered, and the stage under which audits list it. */
export interface RefusedEvaluation {
  readonly stage: string
  readonly status: 400 | 500
  readonly message: string
}

/** Code of the platform envelope for all of them. */
export const ERROR_CODE = 'TE_04'

const TYPE_WORDS: Readonly<Record<RoutingKey['type'], string>> = {
  integer: 'integer',
  enum: 'enum',
  text: 'str_value',
  metadata: 'metadata',
  globalRef: 'global_ref',
}

const refused = (stage: string, message: string): RefusedEvaluation => ({ stage, status: 400, message })
const invalidParameter = (message: string): RefusedEvaluation => refused('parameter_validation_failed', message)

const SPLIT_NOT_DRAWN = {
  program: refused(
    'preview_interpreter_failed',
    'Invalid request received : Interpreter error: OutputEvaluationFailed("VolumeSplitFailed")',
  ),
  algorithm: refused('preview_output_evaluation_failed', 'Failed to evaluate output for algorithm kind : VolumeSplit'),
}

const ARM_STAGE = 'ab_test_evaluation_failed'

const ARM_CODES: ReadonlySet<string> = new Set<ArmRefusal['code']>([
  'NO_FALLBACK_FOR_ARM',
  'ALGORITHM_IS_EXPERIMENT',
  'ARM_ALGORITHM_NOT_FOUND',
])

const isOfArm = (refusal: EvaluationRefusal): refusal is ArmRefusal => ARM_CODES.has(refusal.code)

/** Texts of rules.md 10. */
const describeArm = (refusal: ArmRefusal): RefusedEvaluation => {
  switch (refusal.code) {
    case 'NO_FALLBACK_FOR_ARM':
      return refused(ARM_STAGE, 'Invalid request received : SR routing arm requires at least one connector in fallback_output')
    case 'ALGORITHM_IS_EXPERIMENT':
      return refused(ARM_STAGE, 'Invalid request received : the arm of an experiment is an experiment itself')
    case 'ARM_ALGORITHM_NOT_FOUND':
      return { stage: ARM_STAGE, status: 500, message: `The algorithm of an arm of the experiment is gone : ${refusal.algorithmId}` }
    default:
      return assertNever(refusal)
  }
}

/** Texts and stages of rules.md 1.3, 6.2 and 6.4. */
export const describeRefusal = (refusal: EvaluationRefusal): RefusedEvaluation => {
  if (isOfArm(refusal)) return describeArm(refusal)
  switch (refusal.code) {
    case 'UNKNOWN_PARAMETER':
      return invalidParameter(`Invalid parameter: ${refusal.key}`)
    case 'INVALID_ENUM_VALUE':
      return invalidParameter(`Invalid request received : Invalid enum value '${refusal.value}' for key '${refusal.key}'`)
    case 'PARAMETER_TYPE_MISMATCH':
      return invalidParameter(`Invalid request received : Expected ${TYPE_WORDS[refusal.expected]} value for key '${refusal.key}'`)
    case 'NO_ACTIVE_ALGORITHM':
      return refused('active_routing_lookup_failed', `No active routing algorithm found for the created_by entity : ${refusal.merchantId}`)
    case 'ALGORITHM_NOT_FOUND':
      return refused('active_routing_lookup_failed', `Routing algorithm not found for the provided id : ${refusal.algorithmId}`)
    case 'INVALID_COMPARISON':
      return refused('preview_interpreter_failed', 'Invalid request received : Interpreter error: InvalidComparison')
    case 'SPLIT_NOT_DRAWN':
      return SPLIT_NOT_DRAWN[refusal.source]
    case 'ALGORITHM_UNREADABLE':
      return { stage: 'routing_algorithm_parse_failed', status: 500, message: 'Something went wrong' }
    default:
      return assertNever(refusal)
  }
}

/** The reply of a refusal. */
export const replyToRefused = ({ status, message }: RefusedEvaluation, data: object | null): RouteReply =>
  platformError(status, ERROR_CODE, message, data)
