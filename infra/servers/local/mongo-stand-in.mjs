import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provideJars } from './maven.mjs'
import { choosePort, HOST } from './ports.mjs'
import { startProcess } from './processes.mjs'

const VERSION = '1.47.0'
const LAUNCHER = fileURLToPath(new URL('./MongoStandIn.java', import.meta.url))

/** In memory, or with its data in a file of this name in the folder. */
const start = async ({ folder, isDetached, port, dataFile }) => {
  const libraries = provideJars({ groupId: 'de.bwaldvogel', artifactId: 'mongo-java-server-h2-backend', version: VERSION })
  const args = [
    '-Xmx1g',
    '-XX:+UseSerialGC',
    `-Dservers.folder=${folder}/`,
    '-cp',
    `${libraries}/*`,
    LAUNCHER,
    HOST,
    String(port),
    ...(dataFile === undefined ? [] : [join(folder, dataFile)]),
  ]
  const answers = async () => readFileSync(join(folder, 'output.log'), 'utf8').includes('ready')
  const server = await startProcess({ name: 'mongodb', folder, args, port, isDetached, answers })
  return { ...server, address: `mongodb://${HOST}:${port}/` }
}

/**
 * A stand-in for MongoDB, in memory, on the port of `SERVERS_MONGODB_PORT` or a free one. It speaks the protocol and is laxer
 * and slower than MongoDB, which no package registry has.
 *
 * @param {{ folder: string, isDetached: boolean }} options
 */
export const startMongoStandIn = async ({ folder, isDetached }) =>
  await start({ folder, isDetached, port: await choosePort('SERVERS_MONGODB_PORT') })

/**
 * The stand-in with its data in the folder: what it has answered survives a kill. For tests that kill it, and start it again on
 * the same port.
 *
 * @param {{ folder: string, isDetached: boolean, port?: number }} options
 */
export const startDurableMongoStandIn = async ({ folder, isDetached, port }) =>
  await start({ folder, isDetached, port: port ?? (await choosePort('SERVERS_MONGODB_PORT')), dataFile: 'data.mv' })
