import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provideJars } from './maven.mjs'
import { choosePort, HOST } from './ports.mjs'
import { startProcess } from './processes.mjs'

const VERSION = '1.47.0'
const launcherOf = (name) => fileURLToPath(new URL(`./${name}.java`, import.meta.url))

const start = async ({ folder, isDetached, port, artifactId, launcher, more = [] }) => {
  const libraries = provideJars({ groupId: 'de.bwaldvogel', artifactId, version: VERSION })
  const args = [
    '-Xmx384m',
    '-XX:+UseSerialGC',
    `-Dservers.folder=${folder}/`,
    '-cp',
    `${libraries}/*`,
    launcherOf(launcher),
    HOST,
    String(port),
    ...more,
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
export const startMongoStandIn = async ({ folder, isDetached }) => {
  const port = await choosePort('SERVERS_MONGODB_PORT')
  return await start({ folder, isDetached, port, artifactId: 'mongo-java-server', launcher: 'MongoStandIn' })
}

/**
 * The stand-in with its data in the folder: what it has answered survives a kill. For tests that kill it, and start it again on
 * the same port.
 *
 * @param {{ folder: string, isDetached: boolean, port?: number }} options
 */
export const startDurableMongoStandIn = async ({ folder, isDetached, port: wanted }) => {
  const port = wanted ?? (await choosePort('SERVERS_MONGODB_PORT'))
  const more = [join(folder, 'data.mv')]
  return await start({ folder, isDetached, port, artifactId: 'mongo-java-server-h2-backend', launcher: 'DurableMongoStandIn', more })
}
