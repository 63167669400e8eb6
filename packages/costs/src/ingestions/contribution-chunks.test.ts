import { expect, test } from '@jest/globals'
import { RollUp } from '../statistics/roll-up.ts'
import { paymentRow, totalRow } from '../statistics/sample-rows.fixture.ts'
import { contributionChunks } from './contribution-chunks.ts'
import { KeptTexts } from './kept-texts.ts'
import { CONTRIBUTION_CHUNK_COUNT } from './limits.ts'
import { contributionOf, packedChunk, pieceOf } from './packed-chunk.ts'

const OF = { ingestionId: 'i', sequence: 3, covers: 'whole-days' } as const

test('what is taken apart comes together again', () => {
  const rollUp = new RollUp(() => undefined, 21_000)
  for (let index = 0; index < 2_000; index++)
    rollUp.take({
      ...paymentRow(5 + index * 7, 0.2 + index / 100),
      bin: `4${10_000 + index}`,
      interchangeRate: '20',
      issuerCountry: `C${index % 700}`,
    })
  rollUp.take(totalRow({ turnover: 100 }))
  const whole = rollUp.finish()
  const chunks = [...contributionChunks(whole)]
  expect(chunks.length).toBeGreaterThan(3)
  for (const { clusters, buckets, totals, binRates } of chunks)
    expect(Math.max(clusters.length, buckets.length, totals.length, binRates.length)).toBeLessThanOrEqual(CONTRIBUTION_CHUNK_COUNT)
  const texts = new KeptTexts()
  const told = contributionOf(
    OF,
    chunks.map((chunk) => pieceOf(packedChunk(chunk), texts)),
  )
  // What lies in a chunk has no properties of its own to compare.
  const plain = Array.from(
    told.buckets,
    ({ cluster, day, channel, band, sums: { n, sx, sy, sxx, sxy, syy, su, suu, suy, suuy, syyuu } }) => ({
      cluster,
      day,
      channel,
      band,
      sums: { n, sx, sy, sxx, sxy, syy, su, suu, suy, suuy, syyuu },
    }),
  )
  expect({ ...told, buckets: plain, totals: [...told.totals], binRates: [...told.binRates] }).toEqual({ ...OF, ...whole })
  expect([...contributionOf(OF, []).buckets]).toEqual([])
})

test('a report that is told in parts says the same as one that is told at once', () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => paymentRow(5 + (index % 90), 0.2))
  const whole = new RollUp(() => undefined, 21_000)
  const parts = new RollUp(() => undefined, 21_000)
  const pieces = rows.flatMap((row, index) => {
    whole.take(row)
    parts.take(row)
    return index % 300 === 299 ? [...parts.drain('next', 7)] : []
  })
  pieces.push(...parts.drain('last', 7))
  const total = (buckets: readonly { readonly sums: { readonly n: number; readonly sy: number } }[]) =>
    buckets.reduce((sum, { sums }) => ({ n: sum.n + sums.n, sy: sum.sy + sums.sy }), { n: 0, sy: 0 })
  const told = total(pieces.flatMap(({ buckets }) => buckets))
  expect(told.n).toBe(1_000)
  expect(told.sy).toBeCloseTo(total(whole.finish().buckets).sy, 9)
  expect(parts.heldCount).toBe(0)
})
