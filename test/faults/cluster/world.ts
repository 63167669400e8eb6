import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { LogRecord, Topic } from '@switchyard/kernel'
import { call, createMerchant, decisionRequest, type TestMerchant } from '../../support/client.ts'
import { startAsOne } from '../../support/stops.ts'
import { type Acknowledged, type Load, nothingAcknowledged, runLoad } from '../load.ts'
import { type Checker, openChecker } from './checker.ts'
import { type FaultyCluster, INSTANCES, startFaultyCluster } from './cluster.ts'
import { type FaultyServers, startFaultyServers } from './servers.ts'

const MERCHANT_COUNT = 3
/** Behind each payment of a client: the stand-in for MongoDB takes some hundred documents a second, and fewer the more it has. */
const PAUSE_MS = 800
const PAYMENT_CLIENT_COUNT = 3
/** Behind each settlement report of a client: reading one and learning from it takes two threads. */
const REPORT_PAUSE_MS = 8_000
/** Of each load before a fault, and behind it. Everything is judged anew behind each fault: more of them cost a multiple of that. */
const ANSWER_COUNT = 15

/** A cluster under load, faults, and the judgement of both. */
export interface World {
  readonly servers: FaultyServers
  readonly cluster: FaultyCluster
  readonly checker: Checker
  /** The merchant that tests work with by themselves; the loads have it among theirs. */
  readonly merchant: TestMerchant
  /** What was acknowledged to loads, and what tests add. */
  readonly acknowledged: Acknowledged
  /** Starts a load for each merchant, which goes on through faults. */
  readonly startLoads: (acknowledged: Acknowledged) => readonly Load[]
  /** Each load gets further answers. */
  readonly answered: (loads: readonly Load[]) => Promise<void>
  /** A fault under load, which goes on behind it; what is wrong then, in words. */
  readonly through: (fault: (loads: readonly Load[]) => Promise<void>) => Promise<readonly string[]>
  /** What is wrong, in words: with what was acknowledged, with the read models, with the processes. */
  readonly problems: () => Promise<readonly string[]>
  /** Whether a process that has just been started has other scores than the one that went through the fault. */
  readonly windowProblems: () => Promise<readonly string[]>
  /** Scores as this process has them, when it has folded all that stands in the log. */
  readonly scoresAt: (url: string) => Promise<readonly unknown[]>
  readonly paymentRecords: () => Promise<readonly LogRecord[]>
  /** When the self-tuning had its last run, epoch milliseconds; 0 before the first. */
  readonly lastTunedAt: () => Promise<number>
  readonly stop: () => Promise<void>
}

const unready = async ({ running, urlOf }: FaultyCluster): Promise<readonly string[]> => {
  const missing = INSTANCES.filter((name) => !running().includes(name)).map((name) => `${name} does not run`)
  const asked = await Promise.all(running().map(async (name) => ({ name, answer: await call(urlOf(name), 'GET /health/ready') })))
  return [...missing, ...asked.flatMap(({ name, answer }) => (answer.status === 200 ? [] : [`${name} is not ready: ${answer.text}`]))]
}

/** The self-tuning looks at it and records what it would do; decisions stay as they are, so that they can be compared. */
const createTunedMerchant = async (url: string, id: string): Promise<TestMerchant> => {
  const merchant = await createMerchant(url, id)
  const path = `/merchant-account/${id}/features/auto-calibration`
  const { status, text } = await call(url, `POST ${path}`, { body: { enabled: true }, headers: merchant.key })
  if (status !== 200) throw new Error(`the self-tuning of ${id} was not switched on: ${status} ${text}`)
  return merchant
}

/** Eight processes on servers of their own, and merchants. */
export const startWorld = async (): Promise<World> =>
  await startAsOne(async (onStop) => {
    const servers = await startFaultyServers()
    onStop(servers.stop)
    const cluster = await startFaultyCluster(servers)
    onStop(cluster.stop)
    const checker = await openChecker(cluster.places)
    onStop(checker.close)
    const { url } = cluster
    const ids = Array.from({ length: MERCHANT_COUNT }, () => `m_${randomUUID().slice(0, 8)}`)
    const merchants = await Promise.all(ids.map((id) => createTunedMerchant(url, id)))
    const [merchant] = merchants
    if (merchant === undefined) throw new Error('there are merchants')
    const acknowledged = nothingAcknowledged()
    let round = 0

    const startLoads = (noted: Acknowledged): readonly Load[] =>
      merchants.map((own) =>
        runLoad({
          url,
          merchant: own,
          round: ++round,
          acknowledged: noted,
          untilStopped: { pauseMs: PAUSE_MS },
          reportPauseMs: REPORT_PAUSE_MS,
          paymentClientCount: PAYMENT_CLIENT_COUNT,
        }),
      )

    const answered = async (loads: readonly Load[]): Promise<void> => {
      await Promise.all(loads.map((load) => load.reached(load.count() + ANSWER_COUNT)))
    }

    const recordsOf = async (topic: Topic): Promise<readonly LogRecord[]> => {
      const records: LogRecord[] = []
      for await (const batch of checker.log.read(topic, new Map())) records.push(...batch)
      return records
    }

    const problems = async (): Promise<readonly string[]> => [...(await checker.problems(acknowledged)), ...(await unready(cluster))]

    const scoresAt = async (of: string): Promise<readonly unknown[]> =>
      await Promise.all(
        merchants.map(async ({ id, key }) => {
          const { partition, offset } = await checker.log.endPosition('payments', id)
          const headers = { ...key, 'x-min-log-position': `payments-${partition}-${offset}` }
          const { status, text, json } = await call(of, 'POST /decide-gateway', { body: decisionRequest(id, 'probe'), headers })
          if (status !== 200) throw new Error(`the scores of ${id} were not told: ${status} ${text}`)
          return json.gateway_priority_map
        }),
      )

    return {
      servers,
      cluster,
      checker,
      merchant,
      acknowledged,
      startLoads,
      answered,
      through: async (fault) => {
        const loads = startLoads(acknowledged)
        try {
          await answered(loads)
          await fault(loads)
          await answered(loads)
        } finally {
          await Promise.all(loads.map((load) => load.stop()))
        }
        return await problems()
      },
      problems,
      windowProblems: async () => {
        const live = await scoresAt(cluster.urlOf('decide'))
        const fresh = await scoresAt((await cluster.start('decide-2')).url)
        await cluster.end('decide-2', 'SIGTERM')
        return isDeepStrictEqual(live, fresh) ? [] : [`scores: ${JSON.stringify(live)} live, ${JSON.stringify(fresh)} in a new process`]
      },
      scoresAt,
      paymentRecords: () => recordsOf('payments'),
      lastTunedAt: async () => {
        const events = (await recordsOf('config')).map(({ value }) => checker.codec.decode(value))
        return Math.max(0, ...events.flatMap(({ type, data }) => (type === 'ScoringCalibrated' ? [data.at] : [])))
      },
    }
  })
