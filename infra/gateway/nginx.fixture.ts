import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** An nginx that is not on the path. */
const nginx = process.env['SWITCHYARD_TEST_NGINX'] ?? 'nginx'
const START_TIMEOUT_MS = 10_000
const POLL_MS = 20

/** Whether there is an nginx. */
export const hasNginx: boolean = spawnSync(nginx, ['-v']).status === 0

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has an address')
  return address.port
}

/** A gateway that runs. */
export interface RunningGateway {
  readonly port: number
  readonly healthPort: number
  /** The failures that it logged. */
  readonly log: () => string
  readonly stop: () => Promise<void>
}

/** The committed file with the addresses of this test. `resolve` is known from nginx 1.27.3 on, and is of no use for addresses. */
const localConfig = (
  folder: string,
  ports: { readonly own: number; readonly health: number },
  services: Readonly<Record<string, number>>,
) =>
  Object.entries(services)
    .reduce(
      (text, [service, port]) => text.replace(`server ${service}:8080 resolve `, `server 127.0.0.1:${port} `),
      readFileSync('infra/gateway/nginx.conf', 'utf8'),
    )
    .replace('listen 8080;', `listen 127.0.0.1:${ports.own};`)
    .replace('listen 127.0.0.1:8081;', `listen 127.0.0.1:${ports.health};`)
    .replace('worker_processes auto;', 'worker_processes 1;\ndaemon off;')
    .replace('worker_connections 20000;', 'worker_connections 4096;')
    .replaceAll('/tmp/', `${folder}/`)
    // A pipe of Node is a socket, which can't be opened by name.
    .replace('/dev/stdout', `${folder}/failures.log`)

const untilUp = async (child: ChildProcess, port: number, output: () => string): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
    if (answer?.ok === true) return
    await pause(POLL_MS)
  }
  throw new Error(`nginx did not start; it printed:\n${output()}`)
}

/** Starts nginx with the committed configuration in front of services on these ports of 127.0.0.1. */
export const startGateway = async (services: Readonly<Record<string, number>>): Promise<RunningGateway> => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-gateway-'))
  // Started by root, its workers are somebody else, and have to get at the bodies that they keep here.
  chmodSync(folder, 0o755)
  const ports = { own: await freePort(), health: await freePort() }
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, localConfig(folder, ports, services))
  const child = spawn(nginx, ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: unknown) => (text += String(chunk)))
  const output = (): string => text
  await untilUp(child, ports.health, output)
  return {
    port: ports.own,
    healthPort: ports.health,
    log: () => readFileSync(join(folder, 'failures.log'), 'utf8'),
    stop: async () => {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
