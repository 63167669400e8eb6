/** Bytes that come piece by piece. */
export interface CollectedBytes {
  /** Not beyond the bound. */
  readonly add: (piece: Buffer) => void
  readonly bytes: () => Buffer
}

/**
 * One buffer for all pieces of up to `byteCountMax` bytes: a client may send each byte in a piece of its own, and a piece that is kept
 * takes some hundred bytes beside its own. What comes in one piece is not copied.
 */
export const createCollectedBytes = (byteCountMax: number): CollectedBytes => {
  let buffer: Buffer = Buffer.alloc(0)
  let byteCount = 0
  return {
    add: (piece) => {
      const start = byteCount
      byteCount += piece.length
      if (start === 0) {
        buffer = piece
        return
      }
      if (byteCount > buffer.length) {
        const grown = Buffer.allocUnsafe(Math.min(byteCountMax, Math.max(byteCount, buffer.length * 2)))
        buffer.copy(grown, 0, 0, start)
        buffer = grown
      }
      piece.copy(buffer, start)
    },
    bytes: () => buffer.subarray(0, byteCount),
  }
}
