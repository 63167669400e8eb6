import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provideJars } from './maven.mjs'
import { choosePort, HOST } from './ports.mjs'
import { startProcess } from './processes.mjs'

const STAND_IN = { groupId: 'de.bwaldvogel', artifactId: 'mongo-java-server', version: '1.47.0' }
const LAUNCHER = fileURLToPath(new URL('./MongoStandIn.java', import.meta.url))

/**
 * A stand-in for MongoDB, in memory, on the port of `SERVERS_MONGODB_PORT` or a free one. It speaks the protocol and is laxer
 * and slower than MongoDB, which no package registry has.
 *
 * @param {{ folder: string, isDetached: boolean }} options
 */
export const startMongoStandIn = async ({ folder, isDetached }) => {
  const libraries = provideJars(STAND_IN)
  const port = await choosePort('SERVERS_MONGODB_PORT')
  const args = ['-Xmx384m', '-XX:+UseSerialGC', `-Dservers.folder=${folder}/`, '-cp', `${libraries}/*`, LAUNCHER, HOST, String(port)]
  const answers = async () => readFileSync(join(folder, 'output.log'), 'utf8').includes('ready')
  const server = await startProcess({ name: 'mongodb', folder, args, port, isDetached, answers })
  return { ...server, address: `mongodb://${HOST}:${port}/` }
}
