import { describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import fc from 'fast-check'
import { type ScanRange, scan } from './scan.ts'

interface Numbered {
  readonly group: string
  readonly rank: number
}

const collections = [{ name: 'numbered', indexes: [{ name: 'by-rank', fields: ['group', 'rank'] }] }]
const part = { collection: 'numbered', index: 'by-rank', prefix: ['g'], from: 0, pageDocuments: 5 }

const visited = async (ranks: readonly number[], range: ScanRange): Promise<{ readonly seen: readonly number[]; readonly end: string }> => {
  const store = createMemoryStore({ collections })
  const writeOf = (rank: number, index: number, group: string) => ({
    collection: 'numbered',
    key: [group, index],
    position: { partition: 0, offset: index },
    body: { group, rank },
  })
  await store.write(ranks.flatMap((rank, index) => [writeOf(rank, index, 'g'), writeOf(rank, index, 'other')]))
  const seen: number[] = []
  const end = await scan<Numbered>(
    store,
    range,
    ({ body }) => body.rank,
    ({ body }) => void seen.push(body.rank),
  )
  return { seen, end }
}

const ascending = (ranks: readonly number[]): number[] => ranks.toSorted((a, b) => a - b)

describe('scan', () => {
  test('every document between the bounds once, in order, up to the limit', async () => {
    const order = fc.constantFrom('ascending' as const, 'descending' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 40 }), order, fc.integer({ min: 1, max: 30 }), async (ranks, direction, max) => {
        const inside = ascending(ranks.filter((rank) => rank >= 2 && rank <= 7))
        const expected = direction === 'ascending' ? inside : inside.toReversed()
        const { seen, end } = await visited(ranks, { ...part, from: 2, to: 7, order: direction, documentsMax: max })
        expect(seen).toEqual(expected.slice(0, max))
        expect(end).toBe(expected.length > max ? 'truncated' : 'complete')
      }),
    )
  })

  test.each(['ascending', 'descending'] as const)('%s over several pages of the store with many equal ranks', async (order) => {
    const ranks = Array.from({ length: 130 }, (_, i) => (i < 70 ? 5 : i % 3))
    const { seen, end } = await visited(ranks, { ...part, order, documentsMax: 200 })
    expect(seen).toEqual(order === 'ascending' ? ascending(ranks) : ascending(ranks).toReversed())
    expect(end).toBe('complete')
  })

  test('a limit that is a multiple of the page cuts exactly there', async () => {
    const ranks = Array.from({ length: 101 }, (_, i) => i)
    expect(await visited(ranks, { ...part, order: 'descending', documentsMax: 100 })).toMatchObject({ end: 'truncated' })
    expect(await visited(ranks.slice(1), { ...part, order: 'descending', documentsMax: 100 })).toMatchObject({ end: 'complete' })
  })
})
