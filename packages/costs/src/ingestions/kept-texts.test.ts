import { expect, test } from '@jest/globals'
import { paymentRow, rolledUp } from '../statistics/sample-rows.fixture.ts'
import { contributionChunks } from './contribution-chunks.ts'
import { KeptTexts } from './kept-texts.ts'
import { contributionOf, packedChunk, pieceOf } from './packed-chunk.ts'

const cards = Array.from({ length: 1_200 }, (_, index) =>
  paymentRow(5 + index * 7, 0.2, { bin: String(400_000 + index), interchangeRate: '20' }),
)
const chunks = [...contributionChunks(rolledUp(cards))].map(packedChunk)

test('texts of all chunks are asked for, so that none brings its own', () => {
  const asked = new Set<string>()
  class Noting extends KeptTexts {
    override of(text: string): string {
      asked.add(text)
      return super.of(text)
    }
  }
  const texts = new Noting()
  const pieces = chunks.map((chunk) => pieceOf(chunk, texts))
  for (const { bin, rate } of pieces.flatMap(({ binRates }) => [...binRates]))
    expect([asked.has(bin), asked.has(rate)]).toEqual([true, true])
  for (const { cluster } of pieces.flatMap(({ buckets }) => [...buckets])) {
    const { funding: _, ...spelled } = cluster
    expect(Object.values(spelled).filter((text) => !asked.has(text))).toEqual([])
  }
})

test('a contribution can be gone through several times', () => {
  const texts = new KeptTexts()
  const told = contributionOf(
    { ingestionId: 'i', sequence: 1, covers: 'whole-days' },
    chunks.map((chunk) => pieceOf(chunk, texts)),
  )
  const days = () => Array.from(told.buckets, ({ day, band, sums }) => [day, band, sums.n])
  expect(days().length).toBeGreaterThan(0)
  expect(days()).toEqual(days())
  expect([...told.binRates]).toEqual([...told.binRates])
})
