import type { EvaluationStatus } from '@switchyard/events'
import type { ConnectorReference, Output } from './algorithm.ts'

/** What an evaluation needs besides the parameters. */
export interface EvaluationContext {
  /** Splits draw from a hash of algorithm and payment; without a payment from {@link draw}. */
  readonly paymentId: string | null
  /** A number in [0, 1) from outside: evaluation itself is free of chance. */
  readonly draw: () => number
  /** Answered in order when no rule of a program matches; empty for none (rules.md 6.5). */
  readonly fallback: readonly ConnectorReference[]
}

/** What an algorithm answers for a payment (rules.md 6.6). */
export interface Evaluation {
  /** `DEFAULT_SELECTION` when no rule of a program matched. */
  readonly status: Exclude<EvaluationStatus, 'UNKNOWN'>
  /** The rule that matched; null for other than programs and when none did. */
  readonly ruleName: string | null
  /** Name under which audits list the evaluation (rules.md 6.3). */
  readonly label: string | null
  /** The configured output. */
  readonly output: Output
  /** The routing answer, best first. */
  readonly evaluated: readonly ConnectorReference[]
  /** Distinct connectors of the output in the order of their declaration. */
  readonly eligible: readonly ConnectorReference[]
  /** Index of the split that was drawn; null without a split. */
  readonly drawnSlot: number | null
}

/** Why an evaluation stopped. */
export type EvaluationError =
  | { readonly code: 'INVALID_COMPARISON' /** Rule that asked for it. */; readonly ruleName: string }
  | {
      readonly code: 'SPLIT_NOT_DRAWN' /** Rule or default of a program, or the algorithm itself. */
      readonly source: 'program' | 'algorithm'
    }
  | { readonly code: 'ALGORITHM_UNREADABLE' }
  | { readonly code: 'ALGORITHM_IS_EXPERIMENT' }

/** What an algorithm says about a payment, or why it can say nothing; told apart by {@link isEvaluationError}. */
export type EvaluationResult = Evaluation | EvaluationError

/** Tells errors from answers. */
export const isEvaluationError = (result: EvaluationResult): result is EvaluationError => 'code' in result
