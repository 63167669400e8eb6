import { randomUUID } from 'node:crypto'
import { SERVICES, type ServiceName, startService } from '../../support/cluster.ts'
import type { RunningProcess, StartingProcess } from '../../support/processes.ts'
import { startRouter } from '../../support/router.ts'
import { allSettled, startAsOne } from '../../support/stops.ts'
import type { Places } from './checker.ts'
import type { FaultyServers } from './servers.ts'

/** Instances of the services: two projectors share the partitions. */
export const INSTANCES = [
  'command-api',
  'decide',
  'query-api',
  'webhook-dispatcher',
  'cost-ingestion',
  'tuner',
  'projector-1',
  'projector-2',
] as const

/** One of {@link INSTANCES}, or a further one. */
type InstanceName = `${ServiceName}` | `${ServiceName}-${number}`

const PARTITION_COUNT = 6
/** How often a merchant that is tuned has a run. Longer than all that stands in the log takes to be copied, which has to be quiet meanwhile. */
export const TUNING_SECONDS = 30

/** The services of a cluster behind one address, each of which can be killed, stopped and started again. */
export interface FaultyCluster {
  readonly url: string
  /** Where its log and its read models are. */
  readonly places: Places
  readonly start: (name: InstanceName, env?: Readonly<Record<string, string>>) => Promise<RunningProcess>
  /** Starts one that has to wait for something. */
  readonly begin: (name: InstanceName) => StartingProcess
  readonly end: (name: InstanceName, signal: NodeJS.Signals) => Promise<number | null>
  readonly urlOf: (name: InstanceName) => string
  readonly running: () => readonly InstanceName[]
  /** What all instances that ever ran have printed. */
  readonly output: () => string
  readonly stop: () => Promise<void>
}

const serviceOf = (name: string): ServiceName => {
  const service = SERVICES.find((known) => known === name.replace(/-\d+$/, ''))
  if (service === undefined) throw new Error(`${name} is no service`)
  return service
}

/** A port where nobody listens: its service is away. */
const NOWHERE = 'http://127.0.0.1:9'

export const startFaultyCluster = async (servers: FaultyServers): Promise<FaultyCluster> =>
  await startAsOne(async (onStop) => {
    const topicPrefix = `faults-${randomUUID()}`
    const mongodbUri = `${servers.mongodb.address}faults`
    const env = {
      SWITCHYARD_KAFKA_BROKERS: servers.kafka.address,
      SWITCHYARD_KAFKA_TOPIC_PREFIX: topicPrefix,
      SWITCHYARD_KAFKA_PARTITIONS: String(PARTITION_COUNT),
      SWITCHYARD_KAFKA_REPLICATION: '1',
      SWITCHYARD_SCHEMA_REGISTRY_URL: servers.registry.address,
      SWITCHYARD_MONGODB_URI: mongodbUri,
      SWITCHYARD_JWT_SECRET: randomUUID(),
      SWITCHYARD_DATA_KEY_SECRET: randomUUID(),
      SWITCHYARD_REPORT_SPOOL_DIR: servers.spoolFolder,
      SR_AUTO_CALIBRATION_INTERVAL_SECS: String(TUNING_SECONDS),
    }
    const running = new Map<InstanceName, RunningProcess>()
    const outputs: (() => string)[] = []
    const router = await startRouter((service) => running.get(serviceOf(service))?.url ?? NOWHERE)
    onStop(router.close)

    const begin = (name: InstanceName, more: Readonly<Record<string, string>> = {}): StartingProcess => {
      const starting = startService(serviceOf(name), { env: { ...env, ...more } })
      outputs.push(() => `${name}:\n${starting.output()}`)
      const ready = async (): Promise<RunningProcess> => {
        const service = await starting.ready()
        running.set(name, service)
        return service
      }
      return { ...starting, ready }
    }
    const start: FaultyCluster['start'] = async (name, more) => await begin(name, more).ready()
    const end: FaultyCluster['end'] = async (name, signal) => {
      const service = running.get(name)
      running.delete(name)
      return (await service?.end(signal)) ?? null
    }
    onStop(() => Promise.all([...running.keys()].map((name) => end(name, 'SIGTERM'))))
    await allSettled(INSTANCES.map((name) => start(name)))
    return {
      url: router.url,
      places: {
        brokers: servers.kafka.address,
        topicPrefix,
        schemaRegistryUrl: servers.registry.address,
        mongodbUri,
        partitionCount: PARTITION_COUNT,
      },
      start,
      begin,
      end,
      urlOf: (name) => running.get(name)?.url ?? NOWHERE,
      running: () => [...running.keys()],
      output: () => outputs.map((output) => output()).join('\n'),
    }
  })
