import { describe, expect, test } from '@jest/globals'
import { createCollectedBytes } from './collected-bytes.ts'

const PIECE_COUNT = 100_000

describe('bytes that come in pieces', () => {
  test('are kept in one, however small the pieces: each took some hundred bytes beside its own', () => {
    const collected = createCollectedBytes(PIECE_COUNT)
    for (let index = 0; index < PIECE_COUNT; index++) collected.add(Uint8Array.of(index % 251))
    const bytes = collected.bytes()
    expect(bytes.length).toBe(PIECE_COUNT)
    expect(bytes.every((byte, index) => byte === index % 251)).toBe(true)
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(PIECE_COUNT)
  })

  test('are the piece itself when there is one, which nobody writes to', () => {
    const collected = createCollectedBytes(8)
    const piece = Uint8Array.of(1, 2)
    collected.add(piece)
    expect(collected.bytes().buffer).toBe(piece.buffer)
    collected.add(Uint8Array.of(3, 4))
    expect([[...collected.bytes()], [...piece]]).toEqual([
      [1, 2, 3, 4],
      [1, 2],
    ])
    expect(createCollectedBytes(8).bytes().length).toBe(0)
  })
})
