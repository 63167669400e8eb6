import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createEmbeddedLog, type EmbeddedLog } from './embedded-log.ts'
import { BATCH_BYTES_TARGET } from './limits.ts'

let folder = ''
let log: EmbeddedLog
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-truncated-'))
  log = createEmbeddedLog({ folder, role: 'owner', partitionCount: 1 })
})
afterEach(async () => {
  await log.close()
  rmSync(folder, { recursive: true })
})

/** A chunk and a batch of its own. */
const append = async (id: string): Promise<number> => {
  const [position] = await log.append('payments', [
    { key: 'm_1', value: new Uint8Array(BATCH_BYTES_TARGET), headers: { id, type: 'switchyard.payments.Any' } },
  ])
  return position?.offset ?? Number.NaN
}

test('a read ended as if it had come to its end when all that it had still to give was forgotten', async () => {
  const ids = ['first', 'second', 'third']
  let last = Number.NaN
  for (const id of ids) last = await append(id)
  const read: string[] = []
  const readAll = async (): Promise<void> => {
    for await (const records of log.read('payments', new Map())) {
      read.push(...records.map(({ headers }) => headers.id))
      await append('behind its end')
      await log.truncate('payments', new Map([[0, last]]))
    }
  }
  await expect(readAll()).rejects.toMatchObject({ code: 'LOG_TRUNCATED', retryable: false })
  expect(read).toEqual(['first'])
})
