import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { paymentTimelines } from '@switchyard/analytics'
import { domainCollections } from '@switchyard/composition'
import { CHECKPOINTS_COLLECTION, SNAPSHOTS_COLLECTION } from '@switchyard/runtime'
import { call, createMerchant } from '../support/client.ts'
import { allRecords, differingKeys, documentsOf, eventOf, openLeftBehind, projectAnew, restoredFold } from '../support/replay.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'
import { nothingAcknowledged, runLoad } from './load.ts'
import { seededRandom } from './seeded-random.ts'

/** Kills, each at another moment of a loaded process: of one that decides in its main thread, and of one with several workers. */
const PROCESSES = [
  { workers: '1', killCount: 20 },
  { workers: '2', killCount: 8 },
] as const
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** How often each thing stands in the list. */
const counted = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

describe.each(PROCESSES)(`kill -9 under load, $workers decision workers (FAULT_SEED=${SEED})`, ({ workers, killCount }) => {
  const random = seededRandom(SEED)
  const acknowledged = nothingAcknowledged()
  const dataDir = join(folder.path, `workers-${workers}`)
  const options = { dataDir, env: { SWITCHYARD_WORKERS: workers } }

  test(`a process that is killed ${killCount} times loses nothing that it acknowledged`, async () => {
    let server = await startStandalone(options)
    const merchant = await createMerchant(server.url)
    for (let kill = 0; kill < killCount; kill++) {
      const load = runLoad({ url: server.url, merchant, round: kill, acknowledged })
      await load.reached(20 + Math.floor(random() * 400))
      await server.kill()
      await load.stopped
      server = await startStandalone(options)
    }

    const keys = (await call(server.url, `GET /api-key/list/${merchant.id}`, { headers: merchant.key })).json
    const keyCounts = counted(keys.map((key: { key_id: string }) => key.key_id))
    expect(acknowledged.keyIds.filter((id) => keyCounts.get(id) !== 1)).toEqual([])
    const algorithms = (await call(server.url, `POST /routing/list/${merchant.id}`, { headers: merchant.key })).json
    const algorithmCounts = counted(algorithms.map((algorithm: { id: string }) => algorithm.id))
    expect(acknowledged.algorithmIds.filter((id) => algorithmCounts.get(id) !== 1)).toEqual([])
    await server.stop()
    // A process tells at its end which keys were used: the next one projects it.
    await (await startStandalone(options)).stop()
    expect(acknowledged.outcomes.length).toBeGreaterThan(killCount)
    expect(acknowledged.keyIds.length).toBeGreaterThan(0)
  }, 240_000)

  test('every acknowledged outcome stands in the log once', async () => {
    const left = openLeftBehind(dataDir)
    const events = (await allRecords(left.log)).map(eventOf)
    const outcomes = counted(events.flatMap(({ type, data }) => (type === 'OutcomeRecorded' ? [data.paymentId] : [])))
    expect(acknowledged.outcomes.filter((paymentId) => outcomes.get(paymentId) !== 1)).toEqual([])
    await left.close()
  }, 60_000)

  test('windows and read models equal a replay from the first event', async () => {
    const left = openLeftBehind(dataDir)
    const anew = await projectAnew(left.log)
    const restored = await restoredFold(left)
    expect([...restored.merchantIds()].sort()).toEqual([...anew.fold.merchantIds()].sort())
    for (const merchantId of anew.fold.merchantIds()) {
      expect(Buffer.from(restored.exportMerchant(merchantId)).equals(Buffer.from(anew.fold.exportMerchant(merchantId)))).toBe(true)
    }
    // Snapshots and checkpoints say when the projector stored something, not what is true.
    const readModels = domainCollections.filter(({ name }) => name !== SNAPSHOTS_COLLECTION && name !== CHECKPOINTS_COLLECTION)
    for (const { name } of readModels)
      expect([name, await differingKeys(left.store, anew.store, name)]).toEqual([name, expect.objectContaining({ differing: [] })])
    expect((await documentsOf(left.store, paymentTimelines.name)).size).toBeGreaterThan(killCount)
    await left.close()
  }, 120_000)
})
