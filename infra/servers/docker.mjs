// The second way: containers, where a Docker daemon answers. testcontainers is loaded only when somebody asks.

import { choosePort, HOST } from './local/ports.mjs'
import { API_PATH, setCompatibility } from './local/schema-registry.mjs'

const START_TIMEOUT_MS = 180_000
const KAFKA_CONTROLLER_PORT = 9093

const loadTestcontainers = () => import('testcontainers')

/** Whether a Docker daemon answers. */
export const hasDocker = async () => {
  const { getContainerRuntimeClient } = await loadTestcontainers()
  try {
    await getContainerRuntimeClient()
    return true
  } catch {
    return false
  }
}

const kafkaEnvironment = (port) => ({
  KAFKA_PROCESS_ROLES: 'broker,controller',
  KAFKA_NODE_ID: '1',
  KAFKA_CONTROLLER_QUORUM_VOTERS: `1@localhost:${KAFKA_CONTROLLER_PORT}`,
  KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:${KAFKA_CONTROLLER_PORT}`,
  KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${HOST}:${port}`,
  KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
  KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
  KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
  KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
  KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
  KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
})

/** The port inside equals the one outside where a server tells clients its address. */
const IMAGES = {
  kafka: {
    image: 'apache/kafka:4.1.0',
    portVariable: 'SERVERS_KAFKA_PORT',
    portInside: (port) => port,
    environment: kafkaEnvironment,
    ready: /Kafka Server started/,
    addressOf: (port) => `${HOST}:${port}`,
  },
  'schema-registry': {
    image: 'apicurio/apicurio-registry-mem:2.6.13.Final',
    portVariable: 'SERVERS_REGISTRY_PORT',
    portInside: () => 8080,
    environment: () => ({}),
    ready: /Installed features/,
    addressOf: (port) => `http://${HOST}:${port}${API_PATH}`,
    afterStart: setCompatibility,
  },
  mongodb: {
    image: 'mongo:8.0',
    portVariable: 'SERVERS_MONGODB_PORT',
    portInside: () => 27_017,
    environment: () => ({}),
    ready: /Waiting for connections/,
    addressOf: (port) => `mongodb://${HOST}:${port}/`,
  },
}

/**
 * Starts a container with this server. One that is to outlive this process (`isDetached`) is not handed to the reaper of
 * testcontainers.
 *
 * @param {{ name: string, isDetached: boolean }} options
 */
export const startContainer = async ({ name, isDetached }) => {
  if (isDetached) process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
  const { GenericContainer, Wait } = await loadTestcontainers()
  const { image, portVariable, portInside, environment, ready, addressOf, afterStart } = IMAGES[name]
  const port = await choosePort(portVariable)
  const container = await new GenericContainer(image)
    .withEnvironment(environment(port))
    .withExposedPorts({ container: portInside(port), host: port })
    .withWaitStrategy(Wait.forLogMessage(ready))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start()
  const address = addressOf(port)
  await afterStart?.(address)
  return { name, containerId: container.getId(), address }
}

const clientOf = async () => (await (await loadTestcontainers()).getContainerRuntimeClient()).container

/** Stops and removes the container with its data; one that is gone already is no failure. */
export const stopContainer = async ({ containerId }) => {
  const client = await clientOf()
  try {
    const container = client.getById(containerId)
    await client.stop(container, { timeout: 0 })
    await client.remove(container, { removeVolumes: true })
  } catch (error) {
    if (error?.statusCode !== 404) throw error
  }
}

/** Whether the container still runs. */
export const runsContainer = async ({ containerId }) => {
  try {
    const client = await clientOf()
    return (await client.inspect(client.getById(containerId))).State.Running
  } catch {
    return false
  }
}
