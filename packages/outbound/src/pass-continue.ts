import type { Socket } from 'node:net'

const CR = 0x0d
const LF = 0x0a
const ZERO = 0x30
const TWO = 0x32

/** Where the status stands in `HTTP/1.1 100`. */
const STATUS_FROM = 9
const STATUS_END = 12

/** Reads the bytes of answers one after another. */
interface AnswerHeads {
  /** An answer begins. */
  readonly begin: () => void
  /** Changes each status 100 in the bytes to 102. */
  readonly pass: (bytes: Uint8Array) => void
}

/**
 * Follows heads up to the one that counts; what comes behind its status is not looked at. What is no head goes through and is the
 * parser's to refuse: it reads the same bytes, and takes the same ones for the end of a line, or none.
 */
export const createAnswerHeads = (): AnswerHeads => {
  let place = 0
  let status = 0
  let lineLength = 0
  let isFinal = false

  const begin = (): void => {
    place = 0
    status = 0
    lineLength = 0
    isFinal = false
  }
  /** An empty line ends a head, and the next one begins. */
  const followLine = (byte: number): void => {
    if (byte === LF && lineLength === 0) begin()
    else if (byte === LF) lineLength = 0
    else if (byte !== CR) lineLength++
  }
  const passed = (byte: number): number => {
    // Empty lines before a head belong to none.
    if (place === 0 && (byte === CR || byte === LF)) return byte
    place++
    followLine(byte)
    if (place <= STATUS_FROM || place > STATUS_END) return byte
    status = status * 10 + byte - ZERO
    if (place < STATUS_END) return byte
    isFinal = status >= 200
    return status === 100 ? TWO : byte
  }
  return {
    begin,
    pass: (bytes) => {
      for (let index = 0; !isFinal && index < bytes.length; index++) bytes[index] = passed(bytes[index] ?? 0)
    },
  }
}

/**
 * Whoever reads from the socket gets `102` for `100 Continue`. undici ends the connection at a 100, although a client has to pass over
 * informational answers that it did not ask for (RFC 9110, 15.2), and passes over all others. What is returned tells that the next
 * answer begins; it is told of the first one by itself.
 */
export const passContinue = (socket: Socket): (() => void) => {
  const heads = createAnswerHeads()
  const read = socket.read.bind(socket)
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size)
    if (chunk instanceof Uint8Array) heads.pass(chunk)
    return chunk
  }
  return heads.begin
}
