import type { Position } from '@switchyard/kernel'
import { positionToken } from '@switchyard/runtime'

/** Why an outcome of an upload was not recorded. */
export interface UploadRefusal {
  readonly code:
    | 'INVALID_INPUT'
    | 'MERCHANT_NOT_FOUND'
    | 'MERCHANT_FOREIGN'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'TOO_MANY_OUTCOMES'
    | 'BODY_TOO_LARGE'
    | 'LOG_UNAVAILABLE'
  readonly message: string
}

/** What became of one line. */
export type LineResult =
  | { readonly result: 'accepted'; readonly position: Position }
  | { readonly result: 'duplicate' }
  | { readonly result: 'refused'; readonly refusal: UploadRefusal }

/** A refused line. */
export const refused = (code: UploadRefusal['code'], message: string): LineResult => ({ result: 'refused', refusal: { code, message } })

/** A line that finds the log away. */
export const NOT_STORED: LineResult = refused('LOG_UNAVAILABLE', 'the outcome could not be stored; please send it again')

/** The line of the answer, with its end. */
export const resultLine = (line: number, result: LineResult): string => {
  switch (result.result) {
    case 'accepted':
      return `{"line":${line},"result":"accepted","position":"${positionToken('payments', result.position)}"}\n`
    case 'duplicate':
      return `{"line":${line},"result":"duplicate"}\n`
    case 'refused':
      return `${JSON.stringify({ line, result: 'refused', ...result.refusal })}\n`
    default:
      return result satisfies never
  }
}
