import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import { borrowServers } from '../infra/servers/servers.mjs'
import { inOwnProcess } from './own-process.mjs'
import { summaryOf } from './statistics.mjs'

const WORKER = fileURLToPath(new URL('./projector-worker.mjs', import.meta.url))
const REPLAY_WORKER = fileURLToPath(new URL('./replay-worker.mjs', import.meta.url))
const LIVE_EVENTS_PER_SECOND = 5_000
/** Nearly every payment changes the figures of another one. */
const MANY_MERCHANTS = 1_000

const inFreshFolder = async (run) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-projector-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One turn: a projector that catches up with a history, the same of many merchants, the fold by itself, and a projector under live load. */
const turnOf = async ({ eventCount, liveMs, storeOf }) => {
  const ofMany = await inFreshFolder(async (folder) => {
    await inOwnProcess(WORKER, { name: 'write', folder, eventCount, merchantCount: MANY_MERCHANTS })
    return await storeOf((store) => inOwnProcess(WORKER, { name: 'project', folder, eventCount, ...store }))
  })
  const [caughtUp, folded] = await inFreshFolder(async (folder) => {
    await inOwnProcess(WORKER, { name: 'write', folder, eventCount })
    const projected = await storeOf((store) => inOwnProcess(WORKER, { name: 'project', folder, eventCount, ...store }))
    return [projected, await inOwnProcess(REPLAY_WORKER, { name: 'replay', folder, eventCount })]
  })
  const lag = await inFreshFolder((folder) =>
    storeOf((store) => inOwnProcess(WORKER, { name: 'live', folder, perSecond: LIVE_EVENTS_PER_SECOND, liveMs, ...store })),
  )
  return { caughtUp, ofMany, folded, lag }
}

const measureWith = async ({ repeatCount, ...task }) => {
  const turns = []
  for (let turn = 0; turn < repeatCount; turn += 1) turns.push(await turnOf(task))
  return {
    eventCount: task.eventCount,
    perSecond: summaryOf(turns.map(({ caughtUp }) => caughtUp.perSecond)),
    cpuUs: summaryOf(turns.map(({ caughtUp }) => caughtUp.cpuUs)),
    ofManyPerSecond: summaryOf(turns.map(({ ofMany }) => ofMany.perSecond)),
    ofManyCpuUs: summaryOf(turns.map(({ ofMany }) => ofMany.cpuUs)),
    foldedPerSecond: summaryOf(turns.map(({ folded }) => folded.perSecond)),
    ratio: summaryOf(turns.map(({ caughtUp, folded }) => caughtUp.perSecond / folded.perSecond)),
    lagP50Ms: summaryOf(turns.map(({ lag }) => lag.p50Ms)),
    lagP99Ms: summaryOf(turns.map(({ lag }) => lag.p99Ms)),
  }
}

/**
 * Events a second into all read models of the embedded store, beside the fold of the same events without read models, and how far the
 * read models are behind 5,000 events a second of live load. Each task has a process, which for live load also writes the log.
 *
 * @param {{ readonly projectedEventCount: number, readonly liveMs: number, readonly longRepeatCount: number }} sizes
 */
export const measureProjector = async ({ projectedEventCount, liveMs, longRepeatCount }) =>
  await measureWith({ eventCount: projectedEventCount, liveMs, repeatCount: longRepeatCount, storeOf: (run) => run({}) })

/**
 * The same into the MongoDB server that is there: a stand-in's speed says nothing about MongoDB.
 *
 * @param {{ readonly mongoEventCount: number, readonly liveMs: number, readonly longRepeatCount: number }} sizes
 */
export const measureMongoProjector = async ({ mongoEventCount, liveMs, longRepeatCount }) => {
  const { file, release } = await borrowServers()
  const { mongodbUri } = JSON.parse(readFileSync(file, 'utf8')).addresses
  const storeOf = async (run) => {
    const uri = mongodbUri.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/bench-${randomUUID()}`)
    const client = new MongoClient(uri)
    try {
      return await run({ mongodbUri: uri })
    } finally {
      await client.db().dropDatabase()
      await client.close()
    }
  }
  try {
    return await measureWith({ eventCount: mongoEventCount, liveMs, repeatCount: longRepeatCount, storeOf })
  } finally {
    await release()
  }
}
