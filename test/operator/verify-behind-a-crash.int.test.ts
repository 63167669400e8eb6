import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ReadStore } from '@switchyard/kernel'
import { CHECKPOINTS_COLLECTION } from '@switchyard/runtime'
import { switchyard } from '../support/operator.ts'
import { temporaryFolder } from '../support/server.ts'
import { createDataFolder, openData, paymentRecords, project } from './stored-payments.ts'

const EVENT_COUNT = 400
const LATER_COUNT = 20
const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
afterAll(() => folder.remove())

/** As a process leaves it that ends between the two: documents are stored, and how far they all reach is not. */
const cutOff = (store: ReadStore): ReadStore => ({
  ...store,
  write: async (writes) =>
    writes.every(({ collection }) => collection === CHECKPOINTS_COLLECTION) ? writes.map(() => 'applied') : await store.write(writes),
})

beforeAll(async () => {
  await createDataFolder(dataDir, EVENT_COUNT)
  const { log, store, close } = openData(dataDir)
  await project(log, store)
  await log.append('payments', paymentRecords(EVENT_COUNT, LATER_COUNT))
  await project(log, cutOff(store))
  await close()
}, 60_000)

describe('switchyard verify behind a crash', () => {
  test('left out the documents that were stored last, and said that they changed all the time', async () => {
    const { code, lines } = await switchyard(dataDir, 'verify', 'payments')
    expect({ code, lines }).toEqual({ code: 0, lines: [expect.stringMatching(/^\d+ documents compared, 0 differ$/)] })
  })

  test('lists one of them whose figures are wrong', async () => {
    const { store, close } = openData(dataDir)
    const collection = 'minute-rollups-v1'
    const [last] = await store.range<object>({ collection, prefix: ['m_0'], order: 'descending', limit: 1 })
    if (last === undefined) throw new Error('nothing is stored')
    const { key, position, body } = last
    // Positions of two partitions have no order.
    await store.write([{ collection, key, position: { partition: position.partition + 1, offset: 0 }, body: null }])
    await store.write([{ collection, key, position, body: { ...body, decisionCount: 99 } }])
    await close()
    const { code, lines } = await switchyard(dataDir, 'verify', 'payments')
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [`different ${collection} ${JSON.stringify(key)}: decisionCount`, expect.stringMatching(/, 1 differ$/)],
    })
  })
})
