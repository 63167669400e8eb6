import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { domainCollections, paymentProjections } from '@switchyard/composition'
import type { ReadStore } from '@switchyard/kernel'
import { inGeneration, readGenerations } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { nothingAcknowledged, runLoad } from '../faults/load.ts'
import { seededRandom } from '../faults/seeded-random.ts'
import { call, createMerchant, eventually } from '../support/client.ts'
import { type CommandResult, type RunningCommand, startSwitchyard, switchyard } from '../support/operator.ts'
import { differingKeys, documentsOf } from '../support/replay.ts'
import { startServer, temporaryFolder } from '../support/server.ts'
import { createDataFolder, openData, paymentRecords, project } from './stored-payments.ts'

const EVENT_COUNT = 16_000
const KILLS_MAX = 8
/** Reads beside a rebuild, at least; on a full machine each takes long. */
const READS_MIN = 4
/** Of a client of the load, behind each payment. */
const LOAD_PAUSE_MS = 60
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)

const folder = temporaryFolder()
afterAll(() => folder.remove())

const noted = async (command: RunningCommand, text: string): Promise<void> => {
  while (!command.errors().includes(text)) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Documents of payments that differ from those of a store with one generation. */
const unlike = async (store: ReadStore, straight: ReadStore): Promise<readonly string[]> => {
  const { current } = await readGenerations(store, 'payments')
  const own = inGeneration(store, () => current)
  const compared = await Promise.all(paymentProjections.map(async ({ name }) => ({ name, ...(await differingKeys(own, straight, name)) })))
  expect(compared.some(({ count }) => count > 0)).toBe(true)
  return compared.flatMap(({ name, differing }) => differing.map((key) => `${name} ${key}`))
}

describe(`a rebuild that is killed (FAULT_SEED=${SEED})`, () => {
  const random = seededRandom(SEED)
  const dataDir = join(folder.path, 'killed')
  const rebuild = () => startSwitchyard(['rebuild', 'payments'], { SWITCHYARD_DATA_DIR: dataDir })
  let result: CommandResult
  let killCount = 0

  beforeAll(async () => {
    await createDataFolder(dataDir, EVENT_COUNT)
    const { log, store, close } = openData(dataDir)
    await project(log, store)
    await close()
    for (;;) {
      const running = rebuild()
      // The first kill waits until it has begun: on a busy machine all others may come before that.
      if (killCount === 0) await noted(running, 'building generation 2')
      const timer = killCount < KILLS_MAX ? setTimeout(running.kill, killCount === 0 ? 0 : 200 + random() * 900) : undefined
      result = await running.ended
      clearTimeout(timer)
      if (result.code !== null) break
      killCount += 1
    }
  }, 180_000)

  test('goes on where it stopped, and gives what a straight projection gives', async () => {
    expect(killCount).toBeGreaterThan(0)
    expect(result).toMatchObject({ code: 0, lines: ['payments: generation 2 is read from now on'] })
    expect(result.errors).toMatch(/going on with generation 2 of .*minute-rollups-v1/)
    const { log, store, close } = openData(dataDir)
    expect(await readGenerations(store, 'payments')).toMatchObject({ current: 2, building: null, stored: [1, 2] })
    const straight = createEmbeddedStore({ folder: join(folder.path, 'straight'), collections: domainCollections, role: 'writer' })
    await project(log, straight)
    expect(await unlike(store, straight)).toEqual([])
    await straight.close()
    await close()
  }, 60_000)

  test('leaves nothing that verify would find', async () => {
    expect(await switchyard(dataDir, 'verify', 'payments')).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/^\d+ documents compared, 0 differ$/)],
    })
  }, 60_000)

  test('is followed by the projector: what comes after it is in the new generation alone', async () => {
    const { log, store, close } = openData(dataDir)
    const countIn = async (generation: number) =>
      (
        await documentsOf(
          inGeneration(store, () => generation),
          'payment-timelines-v3',
        )
      ).size
    const before = [await countIn(1), await countIn(2)]
    await log.append('payments', paymentRecords(EVENT_COUNT, 2))
    await project(log, store)
    expect([await countIn(1), await countIn(2)]).toEqual([before[0], (before[1] ?? 0) + 1])
    await close()
  }, 60_000)

  test('the next one drops what is left of the first generation; --anew begins again with a new number', async () => {
    const killed = rebuild()
    await noted(killed, 'building generation 3')
    killed.kill()
    await killed.ended
    const anew = await startSwitchyard(['rebuild', 'payments', '--anew'], { SWITCHYARD_DATA_DIR: dataDir }).ended
    expect(anew.code).toBe(0)
    const { store, close } = openData(dataDir)
    const { current, stored } = await readGenerations(store, 'payments')
    expect({ current, stored }).toEqual({ current: 4, stored: [2, 4] })
    expect(
      (
        await documentsOf(
          inGeneration(store, () => 1),
          'minute-rollups-v1',
        )
      ).size,
    ).toBe(0)
    await close()
  }, 60_000)

  test('a rebuild ended in the middle when nobody read its remarks any more', async () => {
    const running = startSwitchyard(['rebuild', 'payments', '--anew'], { SWITCHYARD_DATA_DIR: dataDir })
    await noted(running, 'building generation')
    running.closeErrors()
    const { code, lines } = await running.ended
    expect([code, lines.at(-1)]).toEqual([0, expect.stringContaining('is read from now on')])
  })
})

describe('a rebuild beside the running service', () => {
  let end = async (): Promise<void> => {}
  afterAll(async () => await end())

  test('is adopted without an answer missed, and every read goes on to include what was written before it', async () => {
    const dataDir = join(folder.path, 'running')
    const server = await startServer({ dataDir })
    const merchant = await createMerchant(server.url)
    // No more than is projected meanwhile: under full load the read models fall behind, and answer 503 where they are to be current.
    const load = runLoad({
      url: server.url,
      merchant,
      round: 0,
      acknowledged: nothingAcknowledged(),
      untilStopped: { pauseMs: LOAD_PAUSE_MS },
      paymentClientCount: 6,
    })
    end = async () => {
      await load.stop()
      await server.kill()
    }
    await load.reached(300)
    const rebuilt = [switchyard(dataDir, 'rebuild', 'payments'), switchyard(dataDir, 'rebuild', 'config')]
    const headers = { ...merchant.key, 'x-tenant-id': 'public' }
    let reads = 0
    let endMs = Number.POSITIVE_INFINITY
    void Promise.all(rebuilt).then(() => {
      endMs = performance.now() + 3_000
    })
    while (performance.now() < endMs || reads < READS_MIN) {
      const paymentId = `own_${reads}`
      const outcome = { merchantId: merchant.id, gateway: 'adyen', paymentId, status: 'CHARGED' }
      const written = await call(server.url, 'POST /update-gateway-score', { body: outcome, headers: merchant.key })
      const position = written.headers.get('x-log-position') ?? ''
      const audit = await call(server.url, `GET /analytics/payment-audit?payment_id=${paymentId}`, {
        headers: { ...headers, 'x-min-log-position': position },
      })
      expect([audit.status, audit.json.total_results]).toEqual([200, 1])
      reads += 1
    }
    for (const { code, lines, errors } of await Promise.all(rebuilt)) expect({ code, lines, errors }).toMatchObject({ code: 0 })
    const busy = await switchyard(dataDir, 'verify', 'payments')
    expect(busy).toMatchObject({ code: 0 })
    const lines = (await switchyard(dataDir, 'lag', '--format', 'json')).lines.map((line) => JSON.parse(line))
    const lag = lines.filter(({ topic }) => ['config', 'payments'].includes(topic))
    expect(new Set(lag.map(({ topic, generation }) => `${topic} ${generation}`)).size).toBe(2)
    expect(lag.every(({ generation }) => generation > 1)).toBe(true)
    await eventually(
      'ready',
      () => call(server.url, 'GET /health/ready'),
      ({ status }) => status === 200,
    )
    await end()
    const again = await startServer({ dataDir })
    await again.stop()
    for (const topic of ['payments', 'config']) expect(await switchyard(dataDir, 'verify', topic)).toMatchObject({ code: 0 })
  }, 120_000)
})
