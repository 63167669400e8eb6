import type { ExperimentLimits } from '../experiments/experiment-payments.ts'
import type { UploadLimits } from './uploaded-lines.ts'

/** How much a {@link PaymentFold} remembers of each merchant. Times are event time: the fold reads no clock. */
export interface PaymentFoldLimits extends UploadLimits, ExperimentLimits {
  /** Decisions that wait for outcomes, one-off and recurring payments each. The oldest goes when it is full. */
  readonly openDecisionCountMax: number
  /** Characters of all long traits ({@link PaymentTraits}) that these decisions have, equal ones once. The oldest go when it is more. */
  readonly openTraitsLengthMax: number
  /** Age of a one-off payment's decision from which it may be forgotten, milliseconds; keep it above the outcome window. */
  readonly openDecisionAgeMs: number
  /** The same for recurring payments, whose outcomes count without limit. */
  readonly recurringDecisionAgeMs: number
  /** Payments that have reports but no decision yet. */
  readonly waitingPaymentCountMax: number
  /** Reports of one such payment; the oldest goes first. */
  readonly waitingPerPaymentMax: number
  /** Age of a report without a decision from which it may be forgotten, milliseconds. */
  readonly waitingAgeMs: number
  /** Pending reports that become failures when nothing final is heard; beyond it they only stay pending. */
  readonly pendingReportCountMax: number
  /** Pending reports that one event makes failures; more wait for the next event. */
  readonly dueReportsPerEventMax: number
  /** Success-rate windows, and states of health; of a few the one that was fed longest ago goes when it is full. */
  readonly windowCountMax: number
  /** Characters of the keys of the success-rate windows together; the same for them. */
  readonly windowKeysLengthMax: number
  /** Different sets of attributes kept once for all decisions, of all merchants, that share them. */
  readonly sharedTraitsCountMax: number
  /** Newest events whose copies are recognised, at least: a batch is sent again with at most 1,000 records. */
  readonly recentEventCountMax: number
}

/** The limits of every deployment: a fold is the same everywhere only under the same limits. */
export const PAYMENT_FOLD_LIMITS: PaymentFoldLimits = {
  openDecisionCountMax: 200_000,
  openTraitsLengthMax: 67_108_864,
  openDecisionAgeMs: 86_400_000,
  recurringDecisionAgeMs: 2_592_000_000,
  waitingPaymentCountMax: 10_000,
  waitingPerPaymentMax: 4,
  waitingAgeMs: 600_000,
  pendingReportCountMax: 100_000,
  dueReportsPerEventMax: 64,
  experimentOpenCountMax: 500_000,
  experimentSuccessCountMax: 100_000,
  windowCountMax: 50_000,
  windowKeysLengthMax: 33_554_432,
  sharedTraitsCountMax: 4_096,
  recentEventCountMax: 2_048,
  uploadCountMax: 1_000,
  uploadLineCountMax: 1_000_000,
  uploadAgeMs: 86_400_000,
}
