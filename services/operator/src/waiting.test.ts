import { PassThrough } from 'node:stream'
import { expect, jest, test } from '@jest/globals'
import { domainCollections } from '@switchyard/composition'
import { publishedSchemaIds } from '@switchyard/events'
import { OperatingError, type ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { paymentRecords } from '../../../test/operator/stored-payments.ts'
import { createConsole } from './console.ts'
import { runCommand } from './run-command.ts'

test('a rebuild whose disk was full stood still without a word', async () => {
  let nowMs = 0
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1_500))
  const log = createMemoryLog({ partitionCount: 1 })
  await log.append('payments', paymentRecords(0, 2))
  const memory = createMemoryStore({ collections: domainCollections })
  let failures = 4
  const write: ReadStore['write'] = async (writes) => {
    if (!writes.some(({ collection }) => collection.endsWith('@2')) || failures-- <= 0) return await memory.write(writes)
    throw new OperatingError('STORE_UNAVAILABLE', 'the read store could not be written', {
      retryable: true,
      cause: new Error('the disk is full'),
    })
  }
  const side = new PassThrough()
  const code = await runCommand(
    { name: 'rebuild', projection: 'payments', isAnew: false },
    {
      console: createConsole(new PassThrough(), Object.assign(side, { isTTY: true })),
      now: Date.now,
      openLog: async () => ({ log, schemaIds: publishedSchemaIds(), learn: async () => {} }),
      openStore: async () => ({ ...memory, write }),
      openScratch: () => ({ store: memory, remove: async () => {} }),
    },
  )
  clock.mockRestore()
  expect(code).toBe(0)
  const lines = String(side.read()).split('\n')
  expect(lines).toContain(
    "the read store can't be written; it is tried again until it can: the read store could not be written: the disk is full",
  )
  expect(lines).toContain('the read store is written again')
})
