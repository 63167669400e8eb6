import { describe, expect, test } from '@jest/globals'
import type { DocumentKey, DocumentWrite, KeyPart, RangeQuery } from '@switchyard/kernel'
import fc from 'fast-check'
import { COLLECTIONS, type OpenedStore, payment, type ReadStoreAdapter } from './adapter.ts'

const RUNS = 60

type ModelEntry = Pick<DocumentWrite, 'key' | 'position' | 'body'>

/** The port in the plainest words: a list of documents, sorted and filtered anew for every question. */
const compareParts = (a: KeyPart, b: KeyPart): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

const compareKeys = (a: DocumentKey, b: DocumentKey): number => {
  const orders = a.slice(0, b.length).map((part, index) => compareParts(part, b[index] ?? ''))
  return orders.find((order) => order !== 0) ?? a.length - b.length
}

const applyTo = (model: Map<string, ModelEntry>, { key, position, body }: DocumentWrite): string => {
  const stored = model.get(JSON.stringify(key))
  if (stored !== undefined && stored.position.partition === position.partition && stored.position.offset >= position.offset) return 'older'
  model.set(JSON.stringify(key), { key, position, body })
  return 'applied'
}

const rowOf = ({ key, body }: ModelEntry, index: string | undefined): DocumentKey | undefined => {
  if (body === null || index === undefined) return body === null ? undefined : key
  const fields = COLLECTIONS.flatMap(({ indexes }) => indexes).find(({ name }) => name === index)?.fields ?? []
  const values = fields.map((field) => new Map<string, KeyPart | null>(Object.entries(body)).get(field))
  const parts = values.filter((value) => value !== undefined && value !== null)
  return parts.length === fields.length ? [...parts, ...key] : undefined
}

const within = (row: DocumentKey, { prefix, from, to }: RangeQuery): boolean => {
  if (row.length < prefix.length || compareKeys(row.slice(0, prefix.length), prefix) !== 0) return false
  const part = row[prefix.length]
  if (part === undefined) return from === undefined && to === undefined
  return (from === undefined || compareParts(part, from) >= 0) && (to === undefined || compareParts(part, to) <= 0)
}

const rangeOf = (model: Map<string, ModelEntry>, query: RangeQuery): readonly ModelEntry[] => {
  const sign = query.order === 'ascending' ? 1 : -1
  return [...model.values()]
    .map((entry) => ({ entry, row: rowOf(entry, query.index) ?? [] }))
    .filter(({ entry, row }) => rowOf(entry, query.index) !== undefined && within(row, query))
    .sort((a, b) => sign * compareKeys(a.row, b.row))
    .slice(query.offset, (query.offset ?? 0) + query.limit)
    .map(({ entry }) => entry)
}

const part: fc.Arbitrary<KeyPart> = fc.oneof(fc.constantFrom('', 'a', 'b', 'a\0', 'aa', 'é', '😀'), fc.constantFrom(-1, 0, 0.5, 1, 10))
const key = fc.array(part, { minLength: 1, maxLength: 3 })
const position = fc.record({ partition: fc.constantFrom(0, 0, 0, 1), offset: fc.nat({ max: 6 }) })
/** As JSON has it, which knows no -0. */
const json = fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text))
const body = fc.option(fc.record({ at: fc.option(part), gateway: part, payload: json }, { requiredKeys: [] }), {
  freq: 4,
  nil: null,
})
const write = fc
  .record({ key, position, body })
  .map((drawn): DocumentWrite => ({ ...payment(drawn.key, 0, drawn.body), position: drawn.position }))
const query = fc
  .record({
    index: fc.constantFrom(undefined, 'by-time', 'by-gateway'),
    prefix: fc.array(part, { maxLength: 2 }),
    from: fc.option(part, { nil: undefined }),
    to: fc.option(part, { nil: undefined }),
    order: fc.constantFrom<RangeQuery['order']>('ascending', 'descending'),
    offset: fc.nat({ max: 3 }),
    limit: fc.nat({ max: 10 }),
  })
  .map(
    ({ index, from, to, ...rest }): RangeQuery => ({
      collection: 'payments-v1',
      ...rest,
      ...(index === undefined ? {} : { index }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    }),
  )

/** Any sequence of batches leaves the store as a plain list would be. */
export const describeModel = <Opened extends OpenedStore>(adapter: ReadStoreAdapter<Opened>): void => {
  describe('model', () => {
    test('any batches of writes leave the documents, ranges and indexes of a plain sorted list', async () => {
      const batches = fc.array(fc.array(write, { maxLength: 12 }), { maxLength: 5 })
      await fc.assert(
        fc.asyncProperty(batches, fc.array(query, { maxLength: 8 }), async (drawnBatches, queries) => {
          const opened = await adapter.open(COLLECTIONS)
          try {
            const model = new Map<string, ModelEntry>()
            for (const batch of drawnBatches) expect(await opened.store.write(batch)).toEqual(batch.map((each) => applyTo(model, each)))
            const keys = [...model.values()].map((entry) => entry.key)
            const live = [...model.values()].map((entry) => (entry.body === null ? undefined : entry))
            expect(await opened.store.getMany('payments-v1', keys)).toEqual(live)
            for (const each of queries) expect(await opened.store.range(each)).toEqual(rangeOf(model, each))
          } finally {
            await opened.dispose()
          }
        }),
        { numRuns: RUNS },
      )
    })
  })
}
