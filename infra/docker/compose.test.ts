import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { parseSettings } from '@switchyard/runtime'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { routeTable } from '../gateway/route-table.mjs'
import { parseCompose, readCompose } from './compose.fixture.ts'

const raw = readCompose()
const { services, networks, volumes } = parseCompose(raw)
const own = Object.entries(services).filter(([, { build }]) => build !== undefined)
const hardened = [...own.map(([name]) => name), 'gateway']
/** Ready when the read models have caught up with the log. */
const READ_MODELS: readonly string[] = ['query-api', 'webhook-dispatcher', 'cost-ingestion']
const SECRETS = { SWITCHYARD_ADMIN_SECRET: 'a', SWITCHYARD_JWT_SECRET: 'j'.repeat(32) }

describe('docker-compose.yml', () => {
  test('keeps to the schema of Compose, which would find a mistake', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const isValid = ajv.compile(JSON.parse(readFileSync('infra/docker/compose-spec.schema.json', 'utf8')))
    isValid(raw)
    expect(isValid.errors ?? []).toEqual([])
    expect(isValid({ services: { gateway: { image: 'nginx', portz: [] } } })).toBe(false)
  })

  test('has the servers, the gateway and all services', () => {
    expect(Object.keys(services).toSorted()).toEqual(
      [
        'command-api',
        'cost-ingestion',
        'decide',
        'gateway',
        'kafka',
        'mongodb',
        'projector',
        'query-api',
        'schema-registry',
        'tuner',
        'webhook-dispatcher',
      ].toSorted(),
    )
  })

  test('services are built from the one Dockerfile, and are those of the folder', () => {
    for (const [name, { build }] of own) {
      expect(build).toEqual({ context: '.', dockerfile: 'infra/docker/Dockerfile', target: 'service', args: { SERVICE: name } })
      expect(existsSync(`services/${name}/package.json`)).toBe(true)
    }
  })

  test.each(own)('every setting of %s is known and valid', (_name, { environment }) => {
    const { kafka, schemaRegistry, mongodbUri } = parseSettings(environment)
    expect({ kafka, schemaRegistry, mongodbUri }).toMatchObject({
      kafka: { brokers: ['kafka:9092'], replicationFactor: 1 },
      schemaRegistry: { url: 'http://schema-registry:8080/apis/ccompat/v7' },
      mongodbUri: 'mongodb://mongodb:27017/switchyard',
    })
  })

  test('what knows the secrets starts in production only when they were set', () => {
    const environmentOf = (given: Readonly<Record<string, string>>) =>
      parseCompose(readCompose({ NODE_ENV: 'production', ...given })).services['decide']?.environment ?? {}
    expect(() => parseSettings(environmentOf({}))).toThrow('SWITCHYARD_ADMIN_SECRET: must not be the development default in production')
    const withoutJwt = environmentOf({ SWITCHYARD_ADMIN_SECRET: 'a' })
    expect(() => parseSettings(withoutJwt)).toThrow('SWITCHYARD_JWT_SECRET: must not be the one of docker-compose.yml in production')
    expect(parseSettings(environmentOf(SECRETS))).toMatchObject({ adminSecret: 'a', jwtSecret: SECRETS.SWITCHYARD_JWT_SECRET })
  })

  test('the page on clusters names every variable that is taken from the shell, and each secret that has to be set with production', () => {
    const page = readFileSync('docs/running-a-cluster.md', 'utf8')
    const taken = [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name)
    const listed = /The compose file takes ([^;]*) from the shell/.exec(page)?.[1] ?? ''
    expect([...listed.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name).toSorted()).toEqual([...new Set(taken)].toSorted())
    const set = /can reach it, set ([^.]*)\./.exec(page)?.[1] ?? ''
    for (const name of taken.filter((variable) => variable.endsWith('_SECRET'))) expect(set).toContain(name)
  })

  test.each(['projector', 'tuner'])('%s knows no secret', (name) => {
    expect(Object.keys(services[name]?.environment ?? {}).filter((setting) => setting.endsWith('_SECRET'))).toEqual([])
  })

  test('a service is waited for until it is healthy, and each can say so', () => {
    for (const { depends_on: needs } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(needs)) {
        expect({ name, condition }).toEqual({ name, condition: READ_MODELS.includes(name) ? 'service_started' : 'service_healthy' })
        // Our images bring their health check along.
        expect(services[name]?.build ?? services[name]?.healthcheck).toBeDefined()
      }
    }
    const needsOf = (name: string): readonly string[] => Object.keys(services[name]?.depends_on ?? {})
    expect(needsOf('projector')).toEqual(['kafka', 'schema-registry', 'mongodb'])
    for (const { service } of routeTable) expect(needsOf(service)).toEqual(['projector'])
    expect(needsOf('gateway')).toEqual(routeTable.map(({ service }) => service))
  })

  test('nothing waits until read models are built: who had none for 75 seconds was without a gateway and without decisions', () => {
    expect(services['projector']?.healthcheck?.test).toEqual(['CMD', 'node', 'health-check.mjs', '/health'])
    const needs = services['gateway']?.depends_on
    expect(READ_MODELS.map((name) => needs?.[name]?.condition)).toEqual(READ_MODELS.map(() => 'service_started'))
  })

  test.each(hardened)('%s is no root, has no privileges and a file system that is read only', (name) => {
    expect(services[name]).toMatchObject({
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  })

  test('only the gateway can be reached from outside, at port 8080 of this machine', () => {
    const reachable = Object.entries(services).filter(([, { ports }]) => ports.length > 0)
    expect(reachable.map(([name, { ports }]) => [name, ports])).toEqual([['gateway', ['127.0.0.1:8080:8080']]])
    expect(networks['cluster']?.internal).toBe(true)
    expect(
      Object.entries(services)
        .filter(([, entry]) => entry.networks.includes('edge'))
        .map(([name]) => name),
    ).toEqual(['gateway'])
  })

  test('the gateway has the generated file, and finds its services by their names', () => {
    expect(services['gateway']?.volumes).toEqual(['./infra/gateway/nginx.conf:/etc/nginx/switchyard.conf:ro'])
    for (const { service } of routeTable) expect(services[service]?.build).toBeDefined()
  })

  test('images have versions, and volumes are declared', () => {
    const images = Object.values(services)
      .filter(({ build }) => build === undefined)
      .map(({ image }) => image)
    expect(images.filter((image) => !/:\d+\.\d+/.test(image))).toEqual([])
    const used = Object.values(services).flatMap((entry) => entry.volumes.map((volume) => volume.split(':')[0] ?? ''))
    expect(used.filter((name) => !name.startsWith('./')).toSorted()).toEqual(Object.keys(volumes).toSorted())
  })
})
