import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { provideJars } from './maven.mjs'
import { choosePort, HOST } from './ports.mjs'
import { startProcess } from './processes.mjs'

/** 4.4.0 names an artifact that was never published. */
const KAFKA = {
  groupId: 'org.apache.kafka',
  artifactId: 'kafka_2.13',
  version: '4.4.0',
  exclusions: [['org.apache.kafka', 'kafka-tools-api']],
}
const PROBE_TIMEOUT_MS = 2_000
/** ApiVersions, version 0: answered once the broker takes requests. */
const PROBE = Buffer.from('0000000b0012000000000001000178', 'hex')

const propertiesOf = (folder, port, controllerPort) => `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@${HOST}:${controllerPort}
listeners=PLAINTEXT://${HOST}:${port},CONTROLLER://${HOST}:${controllerPort}
advertised.listeners=PLAINTEXT://${HOST}:${port}
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${folder}/log
num.partitions=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=2
min.insync.replicas=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
log.cleaner.dedupe.buffer.size=16777216
num.network.threads=2
num.io.threads=4
# A broker that was killed is let in again after this time.
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
`

const answersOn = (port) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: HOST, timeout: PROBE_TIMEOUT_MS }, () => socket.write(PROBE))
    const end = (isAnswered) => {
      socket.destroy()
      resolve(isAnswered)
    }
    socket.once('data', () => end(true))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
    socket.once('timeout', () => end(false))
  })

/**
 * How Kafka's tool formats a folder. The id of the cluster stands behind an equals sign: one in 64 begins with a dash, and would be taken
 * for an option by itself.
 *
 * @param {{ libraries: string, propertiesFile: string, clusterId?: string }} options
 */
export const formatArguments = ({ libraries, propertiesFile, clusterId = randomBytes(16).toString('base64url') }) => [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-cp',
  `${libraries}/*`,
  'kafka.tools.StorageTool',
  'format',
  `--cluster-id=${clusterId}`,
  '-c',
  propertiesFile,
]

const format = (libraries, propertiesFile) => {
  const { status, stdout, stderr } = spawnSync('java', formatArguments({ libraries, propertiesFile }), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the folder of Kafka could not be formatted:\n${stdout}${stderr}`)
}

/**
 * One broker of Apache Kafka (KRaft, no ZooKeeper), on the port of `SERVERS_KAFKA_PORT` or a free one. A folder that has data
 * is opened again, on the same port when `port` says so.
 *
 * @param {{ folder: string, isDetached: boolean, port?: number }} options
 */
export const startKafka = async ({ folder, isDetached, port: wanted }) => {
  const libraries = provideJars(KAFKA)
  mkdirSync(folder, { recursive: true })
  const port = wanted ?? (await choosePort('SERVERS_KAFKA_PORT'))
  const propertiesFile = join(folder, 'server.properties')
  writeFileSync(propertiesFile, propertiesOf(folder, port, await choosePort('SERVERS_KAFKA_CONTROLLER_PORT')))
  if (!existsSync(join(folder, 'log/meta.properties'))) format(libraries, propertiesFile)
  const args = [
    '-Xms256m',
    '-Xmx512m',
    '-XX:+UseSerialGC',
    '-Djava.awt.headless=true',
    '-cp',
    `${libraries}/*`,
    'kafka.Kafka',
    propertiesFile,
  ]
  const server = await startProcess({ name: 'kafka', folder, args, port, isDetached, answers: () => answersOn(port) })
  return { ...server, address: `${HOST}:${port}` }
}
