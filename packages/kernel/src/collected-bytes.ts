/** Bytes that come piece by piece. */
export interface CollectedBytes {
  /** Not beyond the bound. */
  readonly add: (piece: Uint8Array) => void
  readonly bytes: () => Uint8Array
}

/**
 * One array for all pieces of up to `byteCountMax` bytes: a sender may put each byte into a piece of its own, and a piece that is kept
 * takes some hundred bytes beside its own. What comes in one piece is not copied.
 */
export const createCollectedBytes = (byteCountMax: number): CollectedBytes => {
  let room: Uint8Array = new Uint8Array(0)
  let byteCount = 0
  return {
    add: (piece) => {
      const start = byteCount
      byteCount += piece.length
      if (start === 0) {
        room = piece
        return
      }
      if (byteCount > room.length) {
        const grown = new Uint8Array(Math.min(byteCountMax, Math.max(byteCount, room.length * 2)))
        grown.set(room.subarray(0, start))
        room = grown
      }
      room.set(piece, start)
    },
    bytes: () => room.subarray(0, byteCount),
  }
}
