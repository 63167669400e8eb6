import { type DeadRecord, isOperatingError, type LogRecord, OperatingError } from '@switchyard/kernel'
import { retry, systemTimers } from '@switchyard/runtime'
import { INBOUND_GROUP_COUNT } from '../limits.ts'
import type { Submission, WebhookOperations } from '../operations.ts'
import { type DeadEvent, dead } from './dead-events.ts'
import { readSubmission } from './read-submission.ts'

/** What events of a topic are taken with. */
export interface TakeSubmissionsDependencies extends Pick<WebhookOperations, 'submit'> {
  /** Hears of events that were set aside because of a fault of this release, or of its settings. */
  readonly onFault: (error: unknown) => void
  /** Ends the waiting for what is away. */
  readonly signal: AbortSignal
}

const NOT_TAKEN = dead('INTERNAL_ERROR', 'the event could not be taken; the log of the process says why')

const contested = (): OperatingError =>
  new OperatingError('LOG_UNAVAILABLE', 'others submitted the same event at the same time', { retryable: true })

/** Whether it is about one merchant alone: no secret that is named unwraps its key. */
const isOfOneMerchant = (error: unknown): boolean => isOperatingError(error, 'SETTING_INVALID')

/**
 * Takes events of a topic. Resolves when every one of them is durable, or among those that are given back to be set aside: one bad
 * event holds up nothing. What is away is waited for, as long as it takes. An event that comes again is a duplicate, as over HTTP
 * (webhooks.md 9.3). Rejects when the process is to stop.
 */
export const createTakeSubmissions = ({ submit, onFault, signal }: TakeSubmissionsDependencies) => {
  const isTransient = (error: unknown): boolean => isOperatingError(error) && error.retryable

  const submitOnce = async (submission: Submission): Promise<DeadEvent | undefined> => {
    const answer = await submit(submission)
    if (answer.ok) return undefined
    switch (answer.refusal) {
      case 'MERCHANT_NOT_FOUND':
        return dead('MERCHANT_NOT_FOUND', 'the key of the message names no merchant')
      case 'CONTENT_DIFFERS':
        return dead('CONTENT_DIFFERS', 'another event was submitted under this idempotency-key')
      default:
        throw contested()
    }
  }

  const take = async (record: LogRecord): Promise<DeadEvent | undefined> => {
    try {
      const { submission, problem } = readSubmission(record)
      return problem ?? (await retry(() => submitOnce(submission), { isTransient, timers: systemTimers, signal }))
    } catch (error) {
      if (isOperatingError(error) && !isOfOneMerchant(error)) throw error
      // The same event would fail again, and with it every one behind it.
      onFault(error)
      return NOT_TAKEN
    }
  }

  return async (records: readonly LogRecord[]): Promise<readonly DeadRecord[]> => {
    const found: DeadRecord[] = []
    for (let start = 0; start < records.length; start += INBOUND_GROUP_COUNT) {
      // Whoever goes on takes the whole batch: what was taken of it is a duplicate there.
      signal.throwIfAborted()
      const group = records.slice(start, start + INBOUND_GROUP_COUNT)
      const problems = await Promise.all(group.map(take))
      for (const [index, record] of group.entries()) {
        const problem = problems[index]
        if (problem !== undefined) found.push({ record, ...problem })
      }
    }
    return found
  }
}
