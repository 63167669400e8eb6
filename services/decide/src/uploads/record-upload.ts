import type { OutcomeRecorded } from '@switchyard/events'
import { isOperatingError } from '@switchyard/kernel'
import type { KnownLine } from '@switchyard/routing'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { UPLOAD_GROUPS_IN_FLIGHT_MAX } from '../limits.ts'
import type { OutcomeEventOf } from '../outcome-event.ts'
import type { OutcomeBody } from '../routes/parse-outcome.ts'
import type { Element } from './elements.ts'
import { groupsOf } from './groups.ts'
import { inOrder } from './in-order.ts'
import { type Group, type Line, readGroups } from './read-groups.ts'
import { createSaidOutcomes, type SaidOutcome } from './said-outcomes.ts'
import type { RefuseMerchant } from './upload-merchants.ts'
import { type LineResult, NOT_STORED, refused, resultLine } from './upload-results.ts'

/** One upload and what it is recorded with. */
export interface Upload extends Pick<DecideServiceDependencies, 'now'> {
  readonly fold: Pick<DecideServiceDependencies['fold'], 'uploadedLine'>
  readonly appender: Pick<DecideServiceDependencies['appender'], 'appendAll'>
  readonly requestId: string
  /** Null: the upload can't be repeated without being recorded again. */
  readonly key: string | null
  readonly outcomeEventOf: OutcomeEventOf
  readonly refuseMerchant: RefuseMerchant
}

const DUPLICATE: LineResult = { result: 'duplicate' }
const KEY_REUSED = refused('IDEMPOTENCY_KEY_REUSED', 'another outcome was recorded for this line under the same Idempotency-Key')

/** Records groups of one upload, each outcome once; gives the lines of the answer. */
const createRecordGroup = ({ fold, appender, now, requestId, key, outcomeEventOf }: Upload) => {
  const said = createSaidOutcomes()

  /** The results of outcomes that were appended together. */
  const append = async (outcomes: readonly OutcomeRecorded[], numbers: readonly SaidOutcome[]): Promise<readonly LineResult[]> => {
    try {
      const positions = await appender.appendAll(outcomes)
      return positions.map((position) => ({ result: 'accepted', position }))
    } catch (error) {
      for (const number of numbers) said.takeBack(number)
      if (!isOperatingError(error)) throw error
      return outcomes.map(() => NOT_STORED)
    }
  }

  /** What is known of a line under this key. */
  const knownLine = ({ merchantId, paymentId, gateway, status, enforceFailure }: OutcomeBody, line: number): KnownLine =>
    key === null ? 'unknown' : fold.uploadedLine({ merchantId, paymentId, gateway, status, enforceFailure, upload: { key, line } })

  return async ({ lines, refusals }: Group): Promise<string> => {
    const at = now()
    const outcomes: OutcomeRecorded[] = []
    const numbers: SaidOutcome[] = []

    /** Undefined: it is to be recorded. */
    const settle = ({ number: line, outcome, refusal }: Line): LineResult | undefined => {
      if (outcome === undefined) return refusal
      const refusedMerchant = refusals.get(outcome.merchantId)
      if (refusedMerchant !== undefined) return refusedMerchant
      const known = knownLine(outcome, line)
      if (known === 'other') return KEY_REUSED
      const event = outcomeEventOf(outcome, { requestId, at, upload: key === null ? null : { key, line } })
      // A line that stands in the log is said, too: those that repeat it do not stand there, they were told as duplicates.
      const number = said.say(event)
      if (known === 'same' || number === undefined) return DUPLICATE
      numbers.push(number)
      outcomes.push(event)
      return undefined
    }

    const settled = lines.map(settle)
    const recorded = await append(outcomes, numbers)
    let recordedCount = 0
    return lines.map(({ number }, index) => resultLine(number, settled[index] ?? recorded[recordedCount++] ?? NOT_STORED)).join('')
  }
}

/**
 * Records the outcomes of an upload and gives the lines of the answer, one for each outcome in their order, as soon as they
 * are known. A bounded number waits for the log at the same time; nothing more is read until some of them are durable.
 */
export const recordUpload = (upload: Upload, elements: AsyncIterable<readonly Element[]>): AsyncGenerator<string> =>
  inOrder(readGroups(groupsOf(elements), upload.refuseMerchant), createRecordGroup(upload), UPLOAD_GROUPS_IN_FLIGHT_MAX)
