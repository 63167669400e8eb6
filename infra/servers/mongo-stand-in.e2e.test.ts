import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { MongoClient } from 'mongodb'
import { describeWithServers } from '../../test/support/real-servers.ts'
import { startDurableMongoStandIn } from './local/mongo-stand-in.mjs'
import { stopProcess } from './local/processes.mjs'

const KILL_COUNT = 3
const WRITER_COUNT = 32
/** Each is written by one at a time, while another one's write is made durable. */
const COLLECTION_COUNT = 8
const WRITING_MS = 400
const TEST_MAX_MS = 180_000
/** Behind every write before it. */
const LAST = 1e9

interface Written {
  readonly id: string
  readonly collection: string
}

/** One connection for each writer, so that their writes meet in the server; nothing is tried again. */
const connect = (address: string): MongoClient =>
  new MongoClient(address, { maxPoolSize: WRITER_COUNT, retryWrites: false, retryReads: false })

/** As the read store writes: a document that is newer, or that is not there yet. */
const write = (client: MongoClient, { id, collection }: Written, offset: number) =>
  client
    .db('killed')
    .collection<{ _id: string; offset: number }>(collection)
    .bulkWrite([{ updateOne: { filter: { _id: id, offset: { $lt: offset } }, update: { $set: { offset } }, upsert: true } }])

/** Writes new documents from many sides until the server is killed; gives all that were sent. */
const writeUntilKilled = async (client: MongoClient, name: string, kill: () => Promise<void>): Promise<readonly Written[]> => {
  const all: Written[] = []
  const writers = Array.from({ length: WRITER_COUNT }, async (_, writer) => {
    try {
      for (let count = 0; ; count++) {
        const written = { id: `${name}_${writer}_${count}`, collection: `c_${writer % COLLECTION_COUNT}` }
        all.push(written)
        await write(client, written, count)
      }
    } catch {
      // The kill.
    }
  })
  await new Promise((resolve) => setTimeout(resolve, WRITING_MS))
  await kill()
  await Promise.all(writers)
  return all
}

describeWithServers('the stand-in for MongoDB', () => {
  test(
    'a kill left a document without its place in the index: it could be neither found nor written any more',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'switchyard-stand-in-'))
      let server = await startDurableMongoStandIn({ folder, isDetached: false })
      const { address } = server
      const port = Number(new URL(address).port)
      try {
        for (let kill = 0; kill < KILL_COUNT; kill++) {
          const before = connect(address)
          const all = await writeUntilKilled(before, `k${kill}`, () => stopProcess(server, 'SIGKILL'))
          await before.close()
          server = await startDurableMongoStandIn({ folder, isDetached: false, port })
          const after = connect(address)
          const refused: string[] = []
          for (const one of all) await write(after, one, LAST).catch((error: unknown) => refused.push(`${one.id}: ${String(error)}`))
          await after.close()
          expect(all.length).toBeGreaterThan(WRITER_COUNT)
          expect(refused).toEqual([])
        }
      } finally {
        await stopProcess(server)
        rmSync(folder, { recursive: true, force: true })
      }
    },
    TEST_MAX_MS,
  )
})
