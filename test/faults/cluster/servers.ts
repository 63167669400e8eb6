import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKafka } from '../../../infra/servers/local/kafka.mjs'
import { startDurableMongoStandIn } from '../../../infra/servers/local/mongo-stand-in.mjs'
import { type StartedProcess, stopProcess } from '../../../infra/servers/local/processes.mjs'
import { requireTools } from '../../../infra/servers/local/tools.mjs'
import { serverAddresses } from '../../support/server-addresses.ts'
import { startAsOne } from '../../support/stops.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

/** A server that a test may take away and bring back; it keeps its address and what it has acknowledged. */
interface FaultyServer {
  readonly address: string
  /** `kill -9`, where the server is a process of the test's own; else every connection to it ends. */
  readonly takeAway: () => Promise<void>
  readonly bringBack: () => Promise<void>
}

/** Works while a server is away. It comes back also when the work fails: the tests behind it need it. */
export const whileAway = async <T>(server: FaultyServer, work: () => Promise<T>): Promise<T> => {
  await server.takeAway()
  try {
    return await work()
  } finally {
    await server.bringBack()
  }
}

/** Servers for tests of faults: a broker and a read store of their own, because the test run's are others' too. */
export interface FaultyServers {
  readonly kafka: FaultyServer
  readonly mongodb: FaultyServer
  /** Ids of schemas stand in the records and this registry keeps them in memory: it is cut off, not killed. */
  readonly registry: FaultyServer
  /** A folder for uploaded files. */
  readonly spoolFolder: string
  readonly stop: () => Promise<void>
}

interface Killable extends FaultyServer {
  readonly stop: () => Promise<void>
}

type Started = StartedProcess & { readonly address: string }

const killable = async (start: (port?: number) => Promise<Started>): Promise<Killable> => {
  let server = await start()
  const { address } = server
  const port = Number(address.match(/:(\d+)/)?.[1])
  return {
    address,
    takeAway: () => stopProcess(server, 'SIGKILL'),
    bringBack: async () => {
      server = await start(port)
    },
    stop: () => stopProcess(server),
  }
}

const portOption = (port: number | undefined): { readonly port?: number } => (port === undefined ? {} : { port })

export const startFaultyServers = async (): Promise<FaultyServers> =>
  await startAsOne(async (onStop) => {
    requireTools()
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-faults-'))
    onStop(() => rmSync(folder, { recursive: true, force: true }))
    const kafka = await killable((port) => startKafka({ folder: join(folder, 'kafka'), isDetached: false, ...portOption(port) }))
    onStop(kafka.stop)
    const mongodb = await killable((port) =>
      startDurableMongoStandIn({ folder: join(folder, 'mongodb'), isDetached: false, ...portOption(port) }),
    )
    onStop(mongodb.stop)
    const registryUrl = new URL(serverAddresses().schemaRegistryUrl)
    const proxy = await startTcpProxy(registryUrl.hostname, Number(registryUrl.port))
    onStop(proxy.close)
    registryUrl.host = `127.0.0.1:${proxy.port}`
    return {
      kafka,
      mongodb,
      spoolFolder: join(folder, 'spool'),
      registry: { address: registryUrl.href, takeAway: async () => proxy.takeAway(), bringBack: async () => proxy.bringBack() },
    }
  })
