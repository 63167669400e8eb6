import { parseJson } from '@switchyard/http'
import { hash53, isOperatingError } from '@switchyard/kernel'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { UPLOAD_GROUPS_IN_FLIGHT_MAX } from '../limits.ts'
import type { OutcomeEventOf } from '../outcome-event.ts'
import { type OutcomeBody, parseOutcome } from '../routes/parse-outcome.ts'
import type { Element } from './elements.ts'
import { groupsOf } from './groups.ts'
import { inOrder } from './in-order.ts'
import type { RefuseMerchant } from './upload-merchants.ts'
import { type LineResult, refused, resultLine } from './upload-results.ts'

/** One upload and what it is recorded with. */
export interface Upload extends Pick<DecideServiceDependencies, 'fold' | 'appender' | 'now'> {
  readonly requestId: string
  /** Null: the upload can't be repeated without being recorded again. */
  readonly key: string | null
  readonly outcomeEventOf: OutcomeEventOf
  readonly refuseMerchant: RefuseMerchant
}

const DUPLICATE: LineResult = { result: 'duplicate' }

type ReadElement = { readonly outcome: OutcomeBody; readonly refusal?: never } | { readonly outcome?: never; readonly refusal: LineResult }

const read = ({ bytes, problem }: Element): ReadElement => {
  if (bytes === undefined) return { refusal: refused(problem.code, problem.message) }
  const json = parseJson(bytes)
  if (!json.ok) return { refusal: refused('INVALID_INPUT', json.detail) }
  const parsed = parseOutcome(json.value)
  return parsed.problem === undefined ? { outcome: parsed.value } : { refusal: refused('INVALID_INPUT', parsed.problem) }
}

/** Records outcomes of one upload, each once. */
const createRecordElement = ({ fold, appender, now, requestId, key, outcomeEventOf, refuseMerchant }: Upload) => {
  const seen = new Set<number>()

  const append = async (outcome: OutcomeBody, line: number, content: number): Promise<LineResult> => {
    const upload = key === null ? null : { key, line }
    try {
      return { result: 'accepted', position: await appender.append(outcomeEventOf(outcome, { requestId, at: now(), upload })) }
    } catch (error) {
      seen.delete(content)
      if (!isOperatingError(error)) throw error
      return refused('LOG_UNAVAILABLE', 'the outcome could not be stored; please send it again')
    }
  }

  /** A line that stands in the log already, under this key. */
  const repeated = ({ merchantId, paymentId, gateway, status }: OutcomeBody, line: number): LineResult | undefined => {
    if (key === null) return undefined
    const known = fold.uploadedLine({ merchantId, paymentId, gateway, status, upload: { key, line } })
    if (known === 'unknown') return undefined
    return known === 'same'
      ? DUPLICATE
      : refused('IDEMPOTENCY_KEY_REUSED', 'another outcome was recorded for this line under the same Idempotency-Key')
  }

  return async (element: Element): Promise<LineResult> => {
    const { outcome, refusal } = read(element)
    if (refusal !== undefined) return refusal
    const settled = (await refuseMerchant(outcome.merchantId)) ?? repeated(outcome, element.number)
    if (settled !== undefined) return settled
    const content = hash53(outcome.merchantId, outcome.paymentId, outcome.gateway, outcome.status)
    if (seen.has(content)) return DUPLICATE
    seen.add(content)
    return append(outcome, element.number, content)
  }
}

/**
 * Records the outcomes of an upload and gives the lines of the answer, one for each outcome in their order, as soon as they
 * are known. A bounded number waits for the log at the same time; nothing more is read until some of them are durable.
 */
export const recordUpload = async function* (upload: Upload, elements: AsyncIterable<readonly Element[]>): AsyncGenerator<string> {
  const recordElement = createRecordElement(upload)
  const recordGroup = async (group: readonly Element[]): Promise<string> => {
    const results = await Promise.all(group.map(recordElement))
    return results.map((result, index) => resultLine(group[index]?.number ?? 0, result)).join('')
  }
  yield* inOrder(groupsOf(elements), recordGroup, UPLOAD_GROUPS_IN_FLIGHT_MAX)
}
