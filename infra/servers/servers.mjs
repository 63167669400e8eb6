// Kafka, a schema registry and MongoDB for tests and local work, each in the first of three ways that is there: an address in
// the environment; a container, where Docker answers; a process, installed from the Maven repository.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasDocker, runsContainer, startContainer, stopContainer } from './docker.mjs'
import { startKafka } from './local/kafka.mjs'
import { startMongoStandIn } from './local/mongo-stand-in.mjs'
import { isOurs, stopProcess } from './local/processes.mjs'
import { startSchemaRegistry } from './local/schema-registry.mjs'
import { requireTools } from './local/tools.mjs'
import { readServers, runFolder, writeServers } from './places.mjs'

const SERVERS = [
  { name: 'kafka', addressName: 'kafkaBrokers', variable: 'SWITCHYARD_KAFKA_BROKERS', startProcess: startKafka },
  {
    name: 'schema-registry',
    addressName: 'schemaRegistryUrl',
    variable: 'SWITCHYARD_SCHEMA_REGISTRY_URL',
    startProcess: startSchemaRegistry,
  },
  { name: 'mongodb', addressName: 'mongodbUri', variable: 'SWITCHYARD_MONGODB_URI', startProcess: startMongoStandIn },
]

const runs = async (server) => (server.containerId === undefined ? isOurs(server) : await runsContainer(server))
const stopOne = async (server) => (server.containerId === undefined ? await stopProcess(server) : await stopContainer(server))

/** How the servers without an address are started on this machine. */
const chooseStart = async ({ folder, isDetached }) => {
  if (await hasDocker()) return ({ name }) => startContainer({ name, isDetached })
  requireTools()
  return ({ name, startProcess }) => startProcess({ folder: join(folder, name), isDetached })
}

const startAll = async (missing, options) => {
  const start = missing.length === 0 ? undefined : await chooseStart(options)
  const results = await Promise.allSettled(missing.map((server) => start(server)))
  const failed = results.find(({ status }) => status === 'rejected')
  const started = results.flatMap(({ value }) => (value === undefined ? [] : [value]))
  if (failed === undefined) return started
  await Promise.all(started.map(stopOne))
  throw failed.reason
}

/**
 * Starts what does not run yet, with data in `folder`, and writes the file with the addresses. Gives its path. Detached servers
 * outlive this process.
 *
 * @param {{ folder: string, isDetached: boolean }} options
 */
export const startServers = async ({ folder, isDetached }) => {
  const given = SERVERS.filter(({ variable }) => process.env[variable])
  const before = readServers(folder).started
  const areRunning = await Promise.all(before.map(runs))
  const running = before.filter((_, index) => areRunning[index])
  const isMissing = ({ name }) => !given.some((server) => server.name === name) && !running.some((server) => server.name === name)
  const started = [...running, ...(await startAll(SERVERS.filter(isMissing), { folder, isDetached }))]
  const addressOf = ({ name, variable }) => process.env[variable] || started.find((server) => server.name === name)?.address
  const addresses = Object.fromEntries(SERVERS.map((server) => [server.addressName, addressOf(server)]))
  return writeServers(folder, { addresses, started })
}

/** Whether all servers that were started from this folder run. */
const areServersRunning = async (folder) => {
  const { started } = readServers(folder)
  return started.length > 0 && (await Promise.all(started.map(runs))).every(Boolean)
}

/**
 * Stops what was started from this folder and nothing else; `isWiped` removes its data too. Servers whose addresses were given
 * are left alone.
 */
export const stopServers = async (folder, { isWiped }) => {
  const { started } = readServers(folder)
  await Promise.all(started.map(stopOne))
  if (isWiped) rmSync(folder, { recursive: true, force: true })
  else writeServers(folder, { addresses: {}, started: [] })
  return started
}

/**
 * Servers for a run that ends: those that run from this checkout, or new ones with an empty folder, which `release` stops. Gives
 * the file with the addresses.
 */
export const borrowServers = async () => {
  const running = runFolder()
  const isBorrowed = await areServersRunning(running)
  const folder = isBorrowed ? running : mkdtempSync(join(tmpdir(), 'switchyard-servers-'))
  const release = async () => {
    if (!isBorrowed) await stopServers(folder, { isWiped: true })
  }
  try {
    return { file: await startServers({ folder, isDetached: isBorrowed }), release }
  } catch (error) {
    await release()
    throw error
  }
}
