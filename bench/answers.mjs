const HEAD_END = Buffer.from('\r\n\r\n')
const STATUS_OFFSET = 'HTTP/1.1 '.length
const ANSWER_BYTES_MAX = 1024 * 1024

const lengthOf = (head) => {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`the answer does not say its length: ${head.slice(0, 200)}`)
  return Number(length)
}

/**
 * Cuts the bytes of one connection into answers. `onAnswer` gets the status and the body; the body is only valid during the call.
 *
 * @param {(status: number, body: Buffer) => void} onAnswer
 */
export const createAnswerReader = (onAnswer) => {
  let waiting = Buffer.alloc(0)

  /** The bytes behind the first complete answer, or null when it is not complete. */
  const takeOne = (bytes) => {
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0) return null
    const bodyStart = headEnd + HEAD_END.length
    const bodyEnd = bodyStart + lengthOf(bytes.latin1Slice(0, headEnd))
    if (bytes.length < bodyEnd) return null
    const status = Number(bytes.latin1Slice(STATUS_OFFSET, STATUS_OFFSET + 3))
    onAnswer(status, bytes.subarray(bodyStart, bodyEnd))
    return bytes.subarray(bodyEnd)
  }

  return (chunk) => {
    let bytes = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    while (bytes.length > 0) {
      const rest = takeOne(bytes)
      if (rest === null) break
      bytes = rest
    }
    if (bytes.length > ANSWER_BYTES_MAX) throw new Error(`an answer is longer than ${ANSWER_BYTES_MAX} bytes`)
    waiting = bytes
  }
}
