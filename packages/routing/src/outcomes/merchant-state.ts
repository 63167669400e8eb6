import type { OutcomeRecorded } from '@switchyard/events'
import { MerchantHealth } from '../elimination/merchant-health.ts'
import { ExperimentPayments } from '../experiments/experiment-payments.ts'
import { AgingMap } from './aging-map.ts'
import type { PaymentFoldLimits } from './limits.ts'
import { MerchantWindows } from './merchant-windows.ts'
import type { OpenDecision } from './open-decision.ts'
import { OPEN_DECISION_CELLS } from './open-decision-cells.ts'
import { PendingReports } from './pending-reports.ts'
import { RecentNumbers } from './recent-numbers.ts'
import type { StatusClass } from './status-class.ts'
import { UploadedLines } from './uploaded-lines.ts'

/** What of a report is needed to judge it. */
export interface Report
  extends Pick<OutcomeRecorded['data'], 'requestId' | 'at' | 'gateway' | 'status' | 'enforceFailure' | 'excused' | 'gatewayLatencyMs'> {
  /** What the status says, as it was recorded. */
  readonly statusClass: StatusClass
}

/** Reports of one payment without a decision; dated by the newest. */
export interface WaitingReports {
  readonly at: number
  readonly reports: readonly Report[]
}

/** What the fold knows of one merchant. */
export interface MerchantState {
  readonly windows: MerchantWindows
  readonly health: MerchantHealth
  readonly oneOff: AgingMap<OpenDecision>
  readonly recurring: AgingMap<OpenDecision>
  readonly waiting: AgingMap<WaitingReports>
  /** Identities of the newest events of every kind, by which copies are known. */
  readonly recent: RecentNumbers
  /** Reports that are not final, until they are due. */
  readonly pending: PendingReports
  /** Lines of repeatable uploads that were recorded. */
  readonly uploads: UploadedLines
  /** The newest registration of the merchant id that events told of; 0: none did. What an earlier one recorded has no effect. */
  registration: number
  /** Payments that count in experiments. */
  readonly experiments: ExperimentPayments
  /** How often the scores were reset: outcomes count only for decisions of the same epoch. */
  epoch: number
}

/** An empty book of open decisions, each of which is forgotten at an age. */
export const openDecisionBook = (
  { openDecisionCountMax: countMax, openTraitsLengthMax: lengthMax }: PaymentFoldLimits,
  ageMsMax: number,
): AgingMap<OpenDecision> => new AgingMap({ countMax, ageMsMax, lengthMax }, OPEN_DECISION_CELLS)

/** An empty state within the limits. */
export const emptyMerchantState = (limits: PaymentFoldLimits): MerchantState => ({
  windows: new MerchantWindows(limits),
  health: new MerchantHealth(limits.windowCountMax),
  oneOff: openDecisionBook(limits, limits.openDecisionAgeMs),
  recurring: openDecisionBook(limits, limits.recurringDecisionAgeMs),
  waiting: new AgingMap({ countMax: limits.waitingPaymentCountMax, ageMsMax: limits.waitingAgeMs }),
  recent: new RecentNumbers(limits.recentEventCountMax),
  pending: new PendingReports(limits.pendingReportCountMax),
  uploads: new UploadedLines(limits),
  registration: 0,
  experiments: new ExperimentPayments(limits),
  epoch: 0,
})
