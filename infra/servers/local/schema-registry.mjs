import { join } from 'node:path'
import { provideArchive } from './maven.mjs'
import { choosePort, HOST } from './ports.mjs'
import { startProcess } from './processes.mjs'

const REGISTRY = { groupId: 'io.apicurio', artifactId: 'apicurio-registry-app', version: '2.6.13.Final', classifier: 'all' }
const PROBE_TIMEOUT_MS = 2_000
/** Apicurio serves Confluent's API below this path. */
export const API_PATH = '/apis/ccompat/v7'

const answersAt = async (url) => {
  try {
    return (await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}

/** Apicurio checks nothing unless it is told to; Confluent's registry starts with BACKWARD. */
export const setCompatibility = async (url) => {
  const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' }
  const response = await fetch(`${url}/config`, { method: 'PUT', headers, body: '{"compatibility":"BACKWARD"}' })
  if (!response.ok) throw new Error(`the schema registry did not take its settings: ${response.status} ${await response.text()}`)
}

/**
 * Apicurio Registry, in memory, on the port of `SERVERS_REGISTRY_PORT` or a free one; the address is that of Confluent's API.
 *
 * @param {{ folder: string, isDetached: boolean }} options
 */
export const startSchemaRegistry = async ({ folder, isDetached }) => {
  const application = provideArchive(REGISTRY)
  const port = await choosePort('SERVERS_REGISTRY_PORT')
  const settings = [`quarkus.http.host=${HOST}`, `quarkus.http.port=${port}`, 'quarkus.log.level=WARN', `servers.folder=${folder}/`]
  const jar = join(application, `${REGISTRY.artifactId}-${REGISTRY.version}-runner.jar`)
  const args = ['-Xms128m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...settings.map((line) => `-D${line}`), '-jar', jar]
  const address = `http://${HOST}:${port}${API_PATH}`
  const server = await startProcess({ name: 'schema-registry', folder, args, port, isDetached, answers: () => answersAt(address) })
  await setCompatibility(address)
  return { ...server, address }
}
