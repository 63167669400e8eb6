import type { ReportProblem, ReportSource } from '@switchyard/events'
import { accept, assertNever, type Decision, reject } from '@switchyard/kernel'
import type { IngestedReport, Ingestion, IngestionEvent } from './ingestion.ts'
import { ATTEMPT_COUNT_MAX, CLOCK_ERROR_MS, LEASE_MS, RETRY_FACTOR, RETRY_FIRST_MS } from './limits.ts'

/** What can be done about one ingestion; `at` is epoch milliseconds. */
export type IngestionCommand = { readonly at: number } & (
  | {
      readonly type: 'AcceptReport'
      readonly connector: string
      readonly account: string
      readonly source: ReportSource
      readonly coversWholeDays: boolean
      readonly reference: Uint8Array | null
      readonly byteCount: number | null
    }
  | {
      readonly type: 'StartIngestion'
      readonly claimId: string
      /** Whether whoever has it is known to be gone. */
      readonly takesOver: boolean
    }
  | { readonly type: 'AdvanceIngestion'; readonly claimId: string; readonly rowCount: number }
  | ({ readonly type: 'FinishIngestion'; readonly claimId: string; readonly rowCount: number } & {
      readonly report: IngestedReport
      readonly problems: readonly ReportProblem[]
    })
  | {
      readonly type: 'FailIngestion'
      readonly claimId: string
      readonly message: string
      readonly problems: readonly ReportProblem[]
      /** `always`: the file is what is wrong. `now`: it may work later. */
      readonly fails: 'always' | 'now'
    }
  | { readonly type: 'DeleteIngestion' }
)

/** Why nothing is done. */
export type IngestionRejection =
  | { readonly code: 'INGESTION_NOT_FOUND' }
  /** Nobody has to begin with it, now. */
  | { readonly code: 'NOTHING_DUE' }
  /** Somebody else has it, or it was deleted. */
  | { readonly code: 'CLAIM_LOST' }

type Outcome = Decision<IngestionEvent, IngestionRejection>
type Command<Type extends IngestionCommand['type']> = Extract<IngestionCommand, { readonly type: Type }>

const idsOf = ({ merchantId, ingestionId, life }: Ingestion) => ({ merchantId, ingestionId, merchantRegistrationCount: life })

/** What is told of a report whose every attempt ended without a word: the process that read it died. */
const DIED = 'every attempt at this file ended with its process; it is tried no more'

const retryDelayMs = (attemptCount: number): number => RETRY_FIRST_MS * RETRY_FACTOR ** (attemptCount - 1)

/** The longest that one in this state ever has to wait. */
const waitMaxMs = ({ status, attemptCount }: Ingestion): number => {
  if (status === 'PROCESSING') return LEASE_MS
  return attemptCount === 0 ? 0 : retryDelayMs(attemptCount)
}

/** Whether somebody may begin with it at `at`. One whose time a wrong clock has set far ahead is due too: nobody would for hours. */
export const isDue = (ingestion: Ingestion, at: number): boolean => {
  const { dueAt } = ingestion
  return dueAt !== undefined && (dueAt <= at || dueAt > at + waitMaxMs(ingestion) + CLOCK_ERROR_MS)
}

const start = ({ claimId, takesOver, at }: Command<'StartIngestion'>, ingestion: Ingestion): Outcome => {
  const { status, attemptCount } = ingestion
  const isFree = takesOver && status === 'PROCESSING'
  if (!isFree && !isDue(ingestion, at)) return reject({ code: 'NOTHING_DUE' })
  if (status === 'PROCESSING' && attemptCount >= ATTEMPT_COUNT_MAX) {
    const data = { ...idsOf(ingestion), claimId: ingestion.claimId, message: DIED, problems: [], retryAt: null, at }
    return accept({ type: 'IngestionFailed', data })
  }
  return accept({ type: 'IngestionStarted', data: { ...idsOf(ingestion), claimId, leaseEndsAt: at + LEASE_MS, at } })
}

/** When it is tried again after so many attempts; null: no more. */
const retryAtAfter = (attemptCount: number, at: number): number | null =>
  attemptCount >= ATTEMPT_COUNT_MAX ? null : at + retryDelayMs(attemptCount)

const fail = ({ claimId, message, problems, fails, at }: Command<'FailIngestion'>, ingestion: Ingestion): Outcome => {
  const retryAt = fails === 'always' ? null : retryAtAfter(ingestion.attemptCount, at)
  return accept({ type: 'IngestionFailed', data: { ...idsOf(ingestion), claimId, message, problems: [...problems], retryAt, at } })
}

const finish = ({ claimId, rowCount, report, problems, at }: Command<'FinishIngestion'>, ingestion: Ingestion): Outcome => {
  const { connector, account, coversWholeDays } = ingestion
  const { grossByCurrency, countries, ...told } = report
  return accept({
    type: 'SettlementReportIngested',
    data: {
      ...idsOf(ingestion),
      connector,
      account,
      claimId,
      coversWholeDays,
      ...told,
      rowCount,
      problems: [...problems],
      grossByCurrency: { ...grossByCurrency },
      countries: [...countries],
      at,
    },
  })
}

const held = (command: Command<'AdvanceIngestion' | 'FinishIngestion' | 'FailIngestion'>, ingestion: Ingestion): Outcome => {
  if (ingestion.status !== 'PROCESSING' || ingestion.claimId !== command.claimId) return reject({ code: 'CLAIM_LOST' })
  switch (command.type) {
    case 'AdvanceIngestion': {
      const { claimId, rowCount, at } = command
      return accept({ type: 'IngestionAdvanced', data: { ...idsOf(ingestion), claimId, rowCount, leaseEndsAt: at + LEASE_MS, at } })
    }
    case 'FinishIngestion':
      return finish(command, ingestion)
    case 'FailIngestion':
      return fail(command, ingestion)
    default:
      return assertNever(command)
  }
}

/** A connector that tells of a failed report again was asked to: what was wrong may be put right. Polls would tell of it for ever. */
const acceptOnce = ({ type: _type, ...asked }: Command<'AcceptReport'>, ingestion: Ingestion): Outcome => {
  const isToldAgain = asked.source === 'WEBHOOK' && ingestion.status === 'FAILED'
  if (ingestion.status !== 'ABSENT' && !isToldAgain) return accept()
  return accept({ type: 'SettlementReportAccepted', data: { ...idsOf(ingestion), ...asked } })
}

/** Decides about an ingestion. Accepting one that is there, and deleting one that is gone, changes nothing. */
export const decideIngestion = (command: IngestionCommand, ingestion: Ingestion): Outcome => {
  const { connector, account } = ingestion
  switch (command.type) {
    case 'AcceptReport':
      return acceptOnce(command, ingestion)
    case 'StartIngestion':
      return start(command, ingestion)
    case 'DeleteIngestion':
      return ingestion.status === 'ABSENT' || ingestion.status === 'DELETED'
        ? reject({ code: 'INGESTION_NOT_FOUND' })
        : accept({ type: 'IngestionDeleted', data: { ...idsOf(ingestion), connector, account, at: command.at } })
    case 'AdvanceIngestion':
    case 'FinishIngestion':
    case 'FailIngestion':
      return held(command, ingestion)
    default:
      return assertNever(command)
  }
}

/** Whether two that record this at the same time must not both take effect (law 5). */
export const mustNotRace = ({ type }: IngestionEvent): boolean => type === 'IngestionStarted'
