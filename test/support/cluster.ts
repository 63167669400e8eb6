import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { hasNginx, startGateway } from '../../infra/gateway/nginx.fixture.ts'
import { administer, deleteTopics } from './kafka-topics.ts'
import { dropMongoDatabase, newMongoDatabase } from './mongo-database.ts'
import { type RunningProcess, type RunningServer, runToItsEnd, type StartingProcess, startProcess } from './processes.ts'
import { type Router, startRouter } from './router.ts'
import { serverAddresses } from './server-addresses.ts'
import { allSettled, startAsOne } from './stops.ts'

/** The services of a cluster. */
export const SERVICES = ['command-api', 'decide', 'query-api', 'webhook-dispatcher', 'cost-ingestion', 'projector', 'tuner'] as const

/** One of {@link SERVICES}. */
export type ServiceName = (typeof SERVICES)[number]

/** Topics and a database that nobody else uses, on the servers of the test run. */
export interface Surroundings {
  readonly topicPrefix: string
  readonly mongodbUri: string
  readonly env: Readonly<Record<string, string>>
  readonly remove: () => Promise<void>
}

/** Few: every topic has to be made for each test file. */
const PARTITION_COUNT = 3

export const newSurroundings = (): Surroundings => {
  const { kafkaBrokers, schemaRegistryUrl } = serverAddresses()
  const topicPrefix = `test-${randomUUID()}`
  const mongodbUri = newMongoDatabase()
  return {
    topicPrefix,
    mongodbUri,
    env: {
      SWITCHYARD_KAFKA_BROKERS: kafkaBrokers,
      SWITCHYARD_KAFKA_TOPIC_PREFIX: topicPrefix,
      SWITCHYARD_KAFKA_PARTITIONS: String(PARTITION_COUNT),
      SWITCHYARD_KAFKA_REPLICATION: '1',
      SWITCHYARD_SCHEMA_REGISTRY_URL: schemaRegistryUrl,
      SWITCHYARD_MONGODB_URI: mongodbUri,
      SWITCHYARD_JWT_SECRET: randomUUID(),
      SWITCHYARD_DATA_KEY_SECRET: randomUUID(),
    },
    remove: async () => {
      await administer(kafkaBrokers, (admin) => deleteTopics(admin, topicPrefix))
      await dropMongoDatabase(mongodbUri)
    },
  }
}

const mainOf = (service: ServiceName): string => fileURLToPath(new URL(`../../services/${service}/dist/bundle/main.js`, import.meta.url))

/** Starts a built service in these surroundings. */
export const startService = (service: ServiceName, { env }: Pick<Surroundings, 'env'>): StartingProcess =>
  startProcess(mainOf(service), env)

/** Runs a built service to its end, for starts that are meant to fail. */
export const runServiceToEnd = (service: ServiceName, { env }: Pick<Surroundings, 'env'>): ReturnType<typeof runToItsEnd> =>
  runToItsEnd(mainOf(service), env)

const { SWITCHYARD_TEST_FRONT: front = hasNginx ? 'nginx' : 'router' } = process.env
/** The committed configuration of the gateway stands in front where nginx is installed, or has to be; else a router. */
const IS_BEHIND_NGINX = front === 'nginx'

/** The gateway, or a router that goes by the same table. */
const startFront = async (services: ReadonlyMap<string, RunningProcess>): Promise<Router> => {
  if (!IS_BEHIND_NGINX) return await startRouter((service) => services.get(service)?.url ?? '')
  const ports = [...services].flatMap(([name, { url }]) =>
    name === 'projector' || name === 'tuner' ? [] : [[name, Number(new URL(url).port)] as const],
  )
  const gateway = await startGateway(Object.fromEntries(ports))
  return { url: `http://127.0.0.1:${gateway.port}`, close: gateway.stop }
}

/** All services and what stands in front of them. */
const startAll = async (surroundings: Pick<Surroundings, 'env'>) =>
  await startAsOne(async (onStop) => {
    const services = new Map<string, RunningProcess>()
    onStop(() => Promise.all([...services.values()].map((service) => service.end('SIGKILL'))))
    await allSettled(SERVICES.map(async (name) => services.set(name, await startService(name, surroundings).ready())))
    return { services, router: await startFront(services) }
  })

/** The services as processes of their own on the real servers, behind a gateway; ready when each of them is. */
export const startCluster = async (surroundings: Surroundings, env: Readonly<Record<string, string>> = {}): Promise<RunningServer> => {
  const { services, router } = await startAll({ env: { ...surroundings.env, ...env } })
  const endAll = async (signal: NodeJS.Signals): Promise<readonly (number | null)[]> => {
    await router.close()
    return await Promise.all([...services.values()].map((service) => service.end(signal)))
  }
  return {
    url: router.url,
    output: () => [...services.values()].map(({ output }) => output()).join('\n'),
    stop: async () => (await endAll('SIGTERM')).find((code) => code !== 0) ?? 0,
    kill: async () => void (await endAll('SIGKILL')),
  }
}
