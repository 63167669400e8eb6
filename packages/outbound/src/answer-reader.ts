import { createCollectedBytes, type HeaderPair, type OutboundAnswer } from '@switchyard/kernel'
import type { Dispatcher } from 'undici'
import { bodyText, headerPairs } from './answer-text.ts'
import { TooManyInformational } from './failures.ts'
import { ANSWER_BODY_BYTES_MAX, INFORMATIONAL_ANSWERS_MAX } from './limits.ts'

/** How one exchange of request and answer ended. */
export interface ExchangeEvents {
  readonly answered: (answer: OutboundAnswer) => void
  /** Nothing of an answer came. */
  readonly failed: (error: unknown) => void
}

/** Reads one answer: informational ones are passed over, up to their bound, the body is read up to its bound. */
export interface AnswerReader {
  readonly handler: Dispatcher.DispatchHandler
  /** What was read before the deadline, or nothing when no status came. */
  readonly cut: (why: 'timeout') => OutboundAnswer | undefined
}

const isRaw = (raw: unknown): raw is readonly Buffer[] => Array.isArray(raw)

/** {@link AnswerReader} for one exchange; of what it tells `events` the first counts. */
export const createAnswerReader = ({ answered, failed }: ExchangeEvents): AnswerReader => {
  const body = createCollectedBytes(ANSWER_BODY_BYTES_MAX)
  let byteCount = 0
  let informationalCount = 0
  let head: { readonly status: number; readonly headers: readonly HeaderPair[] } | undefined

  const read = (bodyEnd: OutboundAnswer['bodyEnd']): OutboundAnswer | undefined => {
    if (head === undefined) return undefined
    return { kind: 'answered', ...head, body: bodyText(body.bytes(), bodyEnd === 'whole' ? 'whole' : 'cut'), bodyEnd }
  }
  const end = (bodyEnd: OutboundAnswer['bodyEnd'], error?: unknown): void => {
    const answer = read(bodyEnd)
    if (answer === undefined) failed(error)
    else answered(answer)
  }

  return {
    cut: read,
    handler: {
      onRequestStart: () => {},
      onResponseStart: (controller, status) => {
        if (status >= 200) head = { status, headers: headerPairs(isRaw(controller.rawHeaders) ? controller.rawHeaders : []) }
        else if (++informationalCount > INFORMATIONAL_ANSWERS_MAX)
          failed(new TooManyInformational('the endpoint does not come to its answer'))
      },
      onResponseData: (_controller, chunk) => {
        // What was read together with the end of the cap still comes.
        if (byteCount > ANSWER_BODY_BYTES_MAX) return
        body.add(chunk.subarray(0, ANSWER_BODY_BYTES_MAX - byteCount))
        byteCount += chunk.length
        if (byteCount > ANSWER_BODY_BYTES_MAX) end('too_large')
      },
      onResponseEnd: () => end('whole'),
      onResponseError: (_controller, error) => end('connection_lost', error),
    },
  }
}
