import { expect, test } from '@jest/globals'
import { createBatchedAppend } from './batched-append.ts'
import { type Append, unpackAppends } from './packed-appends.ts'

const record = (id: string) => ({ key: 'm1', value: Buffer.from(id), headers: { id, type: 'switchyard.webhooks.Test' } })

test('what is appended in one turn goes as one message, in order, each with its own positions', async () => {
  const batches: (readonly Append[])[] = []
  const append = createBatchedAppend(async (batch) => {
    const appends = unpackAppends(batch)
    batches.push(appends)
    return appends.map(([, records], index) => records.map((_record, offset) => ({ partition: index, offset })))
  })
  const both = [append('webhooks', [record('a'), record('b')]), append('config', [record('c')])]
  expect(await Promise.all(both)).toEqual([
    [
      { partition: 0, offset: 0 },
      { partition: 0, offset: 1 },
    ],
    [{ partition: 1, offset: 0 }],
  ])
  await append('webhooks', [record('d')])
  expect(batches.map((batch) => batch.map(([topic, records]) => [topic, records.map(({ headers }) => headers.id)]))).toEqual([
    [
      ['webhooks', ['a', 'b']],
      ['config', ['c']],
    ],
    [['webhooks', ['d']]],
  ])
})

test('a log that is away refuses all that was sent together', async () => {
  const append = createBatchedAppend(async () => {
    throw new Error('away')
  })
  const both = await Promise.allSettled([append('webhooks', [record('a')]), append('webhooks', [record('b')])])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
