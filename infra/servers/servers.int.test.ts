import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { describeWithServers } from '../../test/support/real-servers.ts'
import { serverAddresses } from '../../test/support/server-addresses.ts'
import { formatArguments } from './local/kafka.mjs'
import { choosePort, HOST, listensOn } from './local/ports.mjs'
import { isOurs, stopProcess } from './local/processes.mjs'

const SCRIPT = "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"

describe('the servers for tests', () => {
  let folder = ''
  let child: ChildProcess | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-servers-test-'))
  })
  afterEach(() => {
    child?.kill('SIGKILL')
    delete process.env['SERVERS_TEST_PORT']
    rmSync(folder, { recursive: true })
  })

  /** A process that listens; its command line ends with these words. */
  const listener = async (...words: readonly string[]) => {
    const started = spawn(process.execPath, ['-e', SCRIPT, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    const [port] = await once(started.stdout, 'data')
    return { pid: started.pid ?? 0, port: Number(port) }
  }

  test('refuse a port that somebody else has, and take a free one otherwise', async () => {
    const { port } = await listener()
    process.env['SERVERS_TEST_PORT'] = String(port)
    await expect(choosePort('SERVERS_TEST_PORT')).rejects.toThrow(`port ${port} (SERVERS_TEST_PORT) can't be used: EADDRINUSE`)
    delete process.env['SERVERS_TEST_PORT']
    const server = createServer().listen(await choosePort('SERVERS_TEST_PORT'), HOST)
    await once(server, 'listening')
    server.close()
  })

  test('an id of a cluster that begins with a dash is no option of its own', () => {
    const names = { libraries: 'jars', propertiesFile: 'server.properties' }
    expect(formatArguments({ ...names, clusterId: '-id' })).toEqual(expect.arrayContaining(['format', '--cluster-id=-id']))
    expect(formatArguments(names)).not.toEqual(formatArguments(names))
  })

  test('know which process listens', async () => {
    const other = await listener()
    const server = createServer().listen(0, HOST)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect([listensOn(process.pid, port), listensOn(other.pid, port)]).toEqual([true, false])
    expect([listensOn(process.pid, other.port), listensOn(other.pid, other.port)]).toEqual([false, true])
    server.close()
  })

  test('are stopped when the process still is theirs; a process that got its id later is left alone', async () => {
    const foreign = await listener('another/folder')
    expect(isOurs({ name: 'x', pid: foreign.pid, folder })).toBe(false)
    await stopProcess({ name: 'x', pid: foreign.pid, folder })
    expect(listensOn(foreign.pid, foreign.port)).toBe(true)
    child?.kill('SIGKILL')
    const own = await listener(`${folder}/data`)
    await stopProcess({ name: 'x', pid: own.pid, folder })
    expect(isOurs({ name: 'x', pid: own.pid, folder })).toBe(false)
  })

  test('name the tool that is missing and the command that installs it', () => {
    const check = "import('./infra/servers/local/tools.mjs').then(({ requireTools }) => requireTools())"
    const { status, stderr } = spawnSync(process.execPath, ['-e', check], { env: { PATH: folder }, encoding: 'utf8' })
    expect(stderr).toMatch(/java is missing\. Install it: apt-get install --yes openjdk-17-jre-headless/)
    expect(status).toBe(1)
  })
})

describeWithServers('the servers of a test run', () => {
  test('answer at their addresses', async () => {
    const { kafkaBrokers, schemaRegistryUrl, mongodbUri } = serverAddresses()
    expect(kafkaBrokers).toMatch(/^\S+:\d+/)
    expect(mongodbUri).toMatch(/^mongodb/)
    expect(await (await fetch(`${schemaRegistryUrl}/config`)).json()).toEqual({ compatibilityLevel: 'BACKWARD' })
  })
})
