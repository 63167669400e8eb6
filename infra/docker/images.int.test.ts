import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readDockerfile } from './dockerfile.fixture.ts'

const stages = readDockerfile()
const stageOf = (name: string) => stages.find((stage) => stage.name === name) ?? { name, base: '', instructions: [] }
const valuesOf = (stage: string, instruction: string): readonly string[] =>
  stageOf(stage)
    .instructions.filter(({ name }) => name === instruction)
    .map(({ rest }) => rest)

/** Run by hand from the repository, in no image. */
const COMMAND_LINE = 'operator'
const SERVICES = readdirSync('services').filter((name) => name !== COMMAND_LINE && existsSync(`services/${name}/src/main.ts`))
const START_TIMEOUT_MS = 20_000
const BUILD_TIMEOUT_MS = 60_000

/** The context after the copies of the build stage. What is installed is lent; the project's own packages are those of the copy. */
const copyContext = (folder: string): void => {
  const sources = valuesOf('build', 'COPY').flatMap((rest) => rest.split(' ').slice(0, -1))
  for (const source of sources)
    cpSync(source, join(folder, source), {
      recursive: true,
      filter: (path) => !/(^|\/)(dist|node_modules)$|\.(test|fixture)\.ts$/.test(path),
    })
  const installed = join(folder, 'node_modules')
  mkdirSync(join(installed, '@switchyard'), { recursive: true })
  for (const name of readdirSync('node_modules')) {
    if (name !== '@switchyard') symlinkSync(resolve('node_modules', name), join(installed, name))
  }
  for (const kind of ['packages', 'services'])
    for (const name of readdirSync(kind)) symlinkSync(join(folder, kind, name), join(installed, '@switchyard', name))
}

describe('the Dockerfile', () => {
  test('builds in one stage and runs in others, which have nothing of the build but the bundle', () => {
    expect(stages.map(({ name }) => name)).toEqual(['build', 'runtime', 'standalone', 'service'])
    for (const { base } of stages.slice(0, 2)) expect(base).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim$/)
    expect(stages.slice(2).map(({ base }) => base)).toEqual(['runtime', 'runtime'])
    expect(valuesOf('runtime', 'RUN')).toEqual([])
    expect(valuesOf('runtime', 'COPY')).toEqual(['--from=build /bundle ./', 'infra/docker/health-check.mjs ./'])
  })

  test('copies nothing that .dockerignore keeps out', () => {
    const lines = readFileSync('.dockerignore', 'utf8').split('\n')
    const sources = ['build', 'runtime'].flatMap((stage) => valuesOf(stage, 'COPY').filter((rest) => !rest.startsWith('--from=')))
    const paths = sources.flatMap((rest) => rest.split(' ').slice(0, -1))
    const letIn = lines.filter((line) => line.startsWith('!') && !lines.includes(`${line.slice(1)}/*`)).map((line) => line.slice(1))
    expect(paths.filter((path) => !letIn.some((place) => path === place || path.startsWith(`${place}/`)))).toEqual([])
  })

  test('runs as a user by number who is not root, and never goes back', () => {
    expect(valuesOf('runtime', 'USER')).toEqual(['1000:1000'])
    expect([...valuesOf('standalone', 'USER'), ...valuesOf('service', 'USER')]).toEqual([])
  })

  test('only standalone has a folder to write to', () => {
    expect(valuesOf('standalone', 'VOLUME')).toEqual(['/data'])
    expect(valuesOf('standalone', 'ENV')).toEqual(['SWITCHYARD_DATA_DIR=/data'])
    expect([...valuesOf('runtime', 'VOLUME'), ...valuesOf('service', 'VOLUME')]).toEqual([])
  })
})

describe('the images, built by their steps as plain commands', () => {
  let context = ''
  const bundleOf = (service: string): string => join(context, `bundle-${service}`)
  /** Only what the image sets, and nothing of this process. */
  const environment = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' }

  beforeAll(() => {
    context = mkdtempSync(join(tmpdir(), 'switchyard-images-'))
    copyContext(context)
    const step = valuesOf('build', 'RUN').find((command) => command.includes('bundle.mjs')) ?? ''
    for (const SERVICE of SERVICES) {
      const command = step.replace(/ \/bundle$/, ` ${bundleOf(SERVICE)}`)
      const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: context, env: { ...environment, SERVICE }, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${SERVICE}: ${command} failed:\n${stderr}`)
    }
    // What the image has not, a bundle can't find.
    rmSync(join(context, 'node_modules'), { recursive: true })
    rmSync(join(context, 'packages'), { recursive: true })
  }, BUILD_TIMEOUT_MS)
  afterAll(() => rmSync(context, { recursive: true }))

  test.each(SERVICES)('%s starts, and says which settings it misses', (service) => {
    const [, program = '', ...args] = JSON.parse(valuesOf('runtime', 'CMD')[0] ?? '[]')
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: bundleOf(service),
      env: { ...environment, SWITCHYARD_MISSPELT: 'x' },
      encoding: 'utf8',
      timeout: START_TIMEOUT_MS,
    })
    expect(stderr).toContain('the settings are not valid: ')
    expect(stderr).toContain('SWITCHYARD_MISSPELT: is not a setting')
    expect(status).toBe(1)
  })

  test.each(SERVICES)('%s carries the licences of what it contains', (service) => {
    expect(existsSync(join(bundleOf(service), 'LICENCES.txt'))).toBe(true)
  })

  test('services of a cluster carry no embedded engine', () => {
    const withEngine = SERVICES.filter((service) => existsSync(join(bundleOf(service), 'node_modules/lmdb')))
    expect(withEngine).toEqual(['standalone'])
  })

  test('standalone serves, from a bundle that it does not write to', async () => {
    const folder = bundleOf('standalone')
    const before = readdirSync(folder)
    const child = spawn(process.execPath, ['main.js'], {
      cwd: folder,
      env: { PATH: environment.PATH, PORT: '0', SWITCHYARD_DATA_DIR: join(context, 'data'), SWITCHYARD_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [first] = await once(child.stdout, 'data')
    const url = /http:\/\/\S+/.exec(String(first))?.[0] ?? ''
    const health = await fetch(`${url}/health`)
    expect(await health.json()).toEqual({ message: 'Health is good' })
    // What diagnostics tries has two seconds: too little for a busy machine's very first write.
    while ((await fetch(`${url}/health/ready`)).status !== 200) await nextTurn()
    const diagnostics = await fetch(`${url}/health/diagnostics`, { headers: { 'x-tenant-id': 'public' } })
    expect(await diagnostics.json()).toMatchObject({ database: { database_write: 'Working' } })
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('the health check of the images', () => {
  const check = async (status: number, ...paths: readonly string[]): Promise<number | null> => {
    const server = createServer((request, response) => response.writeHead(request.url === '/health/ready' ? status : 200).end())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const child = spawn(process.execPath, ['infra/docker/health-check.mjs', ...paths], { env: { PORT: port }, stdio: 'inherit' })
    const [code] = await once(child, 'close')
    server.closeAllConnections()
    server.close()
    return typeof code === 'number' ? code : null
  }

  test('passes where the service is ready, and only there', async () => {
    expect(await check(200)).toBe(0)
    expect(await check(400)).toBe(1)
  })

  test('passes where the service lives when that is what it is to ask', async () => {
    expect(await check(400, '/health')).toBe(0)
  })

  test('fails where nobody listens', () => {
    expect(spawnSync(process.execPath, ['infra/docker/health-check.mjs'], { env: { PORT: '1' } }).status).toBe(1)
  })
})
