import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { call, decisionRequest, eventually } from '../../support/client.ts'
import { startSwitchyard } from '../../support/operator.ts'
import { describeWithServers } from '../../support/real-servers.ts'
import { nothingAcknowledged } from '../load.ts'
import { decidedEvent, outcomeEvent } from '../payment-events.ts'
import { INSTANCES, TUNING_SECONDS } from './cluster.ts'
import { whileAway } from './servers.ts'
import { startWorld, type World } from './world.ts'

const REBALANCE_COUNT = 4
const REBALANCE_EVERY_MS = 2_000
/** How long the broker is away: longer than an outcome waits for it. */
const BROKER_AWAY_MS = 7_000
const STORE_AWAY_MS = 2_000
const COPIED_COUNT = 60
const TEST_MAX_MS = 300_000
/** What needs the documents waits for them: uploads are refused meanwhile, and so is an event that has waited for as long as it may. */
const NEEDS_THE_STORE = /\/report\b|\/events\b.*(?:has not caught up with the position asked for|The read store cannot be reached)/
/** The partitions of a projector that was killed are another's only when the broker has missed it. */
const NEEDS_A_PROJECTOR = /\/report\b.*has not caught up with the position asked for/

const loading = (module: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${new URL(`./${module}.mjs`, import.meta.url).href}`,
})

describeWithServers('a cluster', () => {
  let world: World

  beforeAll(async () => {
    world = await startWorld()
  }, TEST_MAX_MS)
  afterAll(async () => await world.stop(), TEST_MAX_MS)

  test(
    'whose broker is killed and started again',
    async () => {
      const { kafka } = world.servers
      const problems = await world.through(async () => {
        await whileAway(kafka, async () => {})
      })
      expect([...problems, ...(await world.windowProblems())]).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'whose broker is away goes on deciding; outcomes and commands are refused with 503, and none of them is lost',
    async () => {
      const { cluster, servers, merchant, checker } = world
      const ask = (request: string, body: object) => call(cluster.url, request, { body, headers: merchant.key })
      const outcomeOf = (paymentId: string) => ({ merchantId: merchant.id, gateway: 'adyen', paymentId, status: 'CHARGED' })
      const away: string[] = []
      await whileAway(servers.kafka, async () => {
        const backAt = performance.now() + BROKER_AWAY_MS
        const refused = Promise.all([
          ask('POST /update-gateway-score', outcomeOf('away_0')),
          ask('POST /rule/create', { merchant_id: merchant.id, config: { type: 'successRate', data: { defaultBucketSize: 40 } } }),
        ])
        while (performance.now() < backAt) {
          const paymentId = `away_${away.length}`
          const decided = await ask('POST /decide-gateway', decisionRequest(merchant.id, paymentId))
          expect(decided).toMatchObject({ status: 200 })
          expect(Object.keys(decided.json.gateway_priority_map).sort()).toEqual(['adyen', 'checkout', 'stripe'])
          away.push(paymentId)
          await delay(20)
        }
        expect((await refused).map(({ status, text }) => [status, /event log|LOG_UNAVAILABLE/.test(text)])).toEqual([
          [503, true],
          [503, true],
        ])
      })
      const told = away.map(async (paymentId) => {
        for (;;) {
          const { status } = await ask('POST /update-gateway-score', outcomeOf(paymentId))
          if (status !== 503) return status
        }
      })
      expect(new Set(await Promise.all(told))).toEqual(new Set([200]))
      expect(await world.problems()).toEqual([])
      const events = (await world.paymentRecords()).map(({ value }) => checker.codec.decode(value))
      const decisions = new Set(events.map(({ type, data }) => (type === 'GatewayDecided' ? data.paymentId : '')))
      expect(away.filter((paymentId) => !decisions.has(paymentId))).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'whose registry is away: nothing is refused, and a process that starts waits for it and says so',
    async () => {
      const { cluster, servers } = world
      const refusals: string[] = []
      const problems = await world.through(async (loads) => {
        const waiting = await whileAway(servers.registry, async () => {
          await cluster.end('projector-1', 'SIGKILL')
          const starting = cluster.begin('projector-1')
          await starting.printed('the schema registry does not answer')
          return starting
        })
        await waiting.ready()
        refusals.push(...loads.flatMap((load) => [...load.refusals().keys()]))
      })
      expect([...problems, ...refusals.filter((told) => !NEEDS_A_PROJECTOR.test(told))]).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'whose read store is killed and started again: decisions, outcomes and commands go on',
    async () => {
      const { mongodb } = world.servers
      const refusals: string[] = []
      const problems = await world.through(async (loads) => {
        await whileAway(mongodb, () => delay(STORE_AWAY_MS))
        refusals.push(...loads.flatMap((load) => [...load.refusals().keys()]))
      })
      expect([...problems, ...refusals.filter((told) => !NEEDS_THE_STORE.test(told))]).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'each service of which is killed with -9',
    async () => {
      const { cluster } = world
      const problems = await world.through(async (loads) => {
        for (const name of INSTANCES) {
          await cluster.end(name, 'SIGKILL')
          await cluster.start(name)
          await world.answered(loads)
        }
        const allBackAt = Date.now()
        const tunedWithinMs = 2 * TUNING_SECONDS * 1_000
        await eventually('a run of the self-tuning behind the kill', world.lastTunedAt, (at) => at > allBackAt, tunedWithinMs)
      })
      expect([...problems, ...(await world.windowProblems())]).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'whose configuration was rebuilt while a projector was killed and another one started was taken for stuck',
    async () => {
      const { cluster } = world
      const problems = await world.through(async () => {
        const { brokers, topicPrefix, schemaRegistryUrl, mongodbUri, partitionCount } = cluster.places
        const rebuilding = startSwitchyard(['rebuild', 'config'], {
          SWITCHYARD_KAFKA_BROKERS: brokers,
          SWITCHYARD_KAFKA_TOPIC_PREFIX: topicPrefix,
          SWITCHYARD_KAFKA_PARTITIONS: String(partitionCount),
          SWITCHYARD_KAFKA_REPLICATION: '1',
          SWITCHYARD_SCHEMA_REGISTRY_URL: schemaRegistryUrl,
          SWITCHYARD_MONGODB_URI: mongodbUri,
        })
        await cluster.end('projector-1', 'SIGKILL')
        await cluster.start('projector-1')
        expect(await rebuilding.ended).toMatchObject({
          code: 0,
          lines: [expect.stringMatching(/^config: generation \d+ is read from now on$/)],
        })
      })
      expect(problems).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'whose projectors come and go every few seconds',
    async () => {
      const { cluster } = world
      const problems = await world.through(async () => {
        for (let i = 0; i < REBALANCE_COUNT; i++) {
          const coming = cluster.begin('projector-3')
          await coming.printed('listens on')
          await delay(REBALANCE_EVERY_MS)
          await coming.end(i % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
        }
      })
      expect(problems).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'that meets records which nobody can read: they are put aside, and those behind them are folded',
    async () => {
      const { checker, merchant } = world
      const key = merchant.id
      const whole = checker.codec.encode(outcomeEvent({ merchantId: key, paymentId: 'cut', at: Date.now() }))
      const poison = [Buffer.from('no avro'), Buffer.from([0, 0, 99, 99, 99, 1]), Buffer.from(whole.subarray(0, whole.length >> 1))]
      const before = await checker.deadLetterCount()
      const problems = await world.through(async () => {
        const headers = { id: randomUUID(), type: 'switchyard.payments.OutcomeRecorded' }
        await checker.log.append(
          'payments',
          poison.map((value, i) => ({ key, value, headers: { ...headers, id: `${headers.id}_${i}` } })),
        )
      })
      expect(problems).toEqual([])
      expect((await checker.deadLetterCount()) - before).toBe(poison.length)
    },
    TEST_MAX_MS,
  )

  test(
    'that meets copies of records, late ones, and outcomes before their decisions',
    async () => {
      const { cluster, checker, merchant, acknowledged } = world
      const merchantId = merchant.id
      const scores = await world.scoresAt(cluster.urlOf('decide'))
      const records = await world.paymentRecords()
      const own = records.filter(({ key, headers }) => key === merchantId && headers.type.endsWith('.OutcomeRecorded'))
      const copies = own.slice(-COPIED_COUNT).map(({ key, value, headers }) => ({ key, value, headers }))
      await checker.log.append('payments', copies)
      expect(await world.scoresAt(cluster.urlOf('decide'))).toEqual(scores)

      const problems = await world.through(async () => {
        const now = Date.now()
        const late = { merchantId, paymentId: `late_${now}`, at: now - 7_200_000 }
        const early = { merchantId, paymentId: `early_${now}`, at: now }
        const events = [
          decidedEvent(late),
          outcomeEvent({ ...late, at: now }),
          outcomeEvent(early),
          decidedEvent({ ...early, at: now - 1_000 }),
        ]
        await checker.log.append(
          'payments',
          events.map((event) => ({
            key: merchantId,
            value: checker.codec.encode(event),
            headers: { id: randomUUID(), type: `switchyard.payments.${event.type}` },
          })),
        )
        acknowledged.outcomes.push(late.paymentId, early.paymentId)
      })
      expect([...problems, ...(await world.windowProblems())]).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'whose clocks jump for hours, forth and back',
    async () => {
      const { cluster } = world
      const restartAll = async (env: Readonly<Record<string, string>>): Promise<void> => {
        for (const name of INSTANCES) {
          await cluster.end(name, 'SIGTERM')
          await cluster.start(name, env)
        }
      }
      const problems = await world.through(async (loads) => {
        await restartAll(loading('clock-jumps'))
        for (let i = 0; i < 3; i++) await world.answered(loads)
        await restartAll({})
      })
      expect([...problems, ...(await world.windowProblems())]).toEqual([])
    },
    TEST_MAX_MS,
  )

  test(
    'that acknowledges before a record is durable is found out',
    async () => {
      const { cluster, checker } = world
      await cluster.end('decide', 'SIGTERM')
      await cluster.start('decide', loading('acknowledged-too-early'))
      const told = nothingAcknowledged()
      const loads = world.startLoads(told)
      await world.answered(loads)
      await cluster.end('decide', 'SIGKILL')
      await Promise.all(loads.map((load) => load.stop()))
      await cluster.start('decide')
      expect(await checker.problems(told)).toContainEqual(expect.stringContaining('acknowledged outcomes do not stand in the log once'))
    },
    TEST_MAX_MS,
  )
})
