import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { RouteSpec } from '@switchyard/http'
import { nginxConfigOf } from './nginx-config.mjs'
import { type RouteTableRow, routeTable } from './route-table.mjs'
import { serviceOf } from './service-of.fixture.ts'

const specOf = (path: string, more: Partial<RouteSpec> = {}): RouteSpec => ({
  method: 'POST',
  path,
  access: 'public',
  permission: 'routing:read',
  tenant: false,
  body: 'none',
  hot: false,
  ...more,
})

const table = (...rows: readonly (readonly [RouteTableRow['service'], ...RouteSpec[]])[]): readonly RouteTableRow[] =>
  rows.map(([service, ...specs]) => ({ service, specs }))

const samplePath = (path: string): string => path.replaceAll(/:[^/]+/g, 'a%2Fb.1')
const config = nginxConfigOf(routeTable)

describe('the route table', () => {
  test('has the routes of the three services that answer clients', () => {
    const paths = Object.fromEntries(routeTable.map(({ service, specs }) => [service, specs.map(({ path }) => path)]))
    expect(paths['command-api']).toContain('/merchant-account/:merchantId')
    expect(paths['decide']).toContain('/decide-gateway')
    expect(paths['query-api']).toContain('/analytics/overview')
  })
})

describe('the configuration of the gateway', () => {
  test('the committed file is what the route table gives', () => {
    expect(readFileSync('infra/gateway/nginx.conf', 'utf8')).toBe(config)
  })

  test.each(routeTable.flatMap(({ service, specs }) => specs.map(({ method, path }) => [method, path, service])))(
    '%s %s goes to %s',
    (_method, path, service) => {
      expect(serviceOf(config, samplePath(path))).toBe(service)
      expect(serviceOf(config, `${samplePath(path)}?a=/decide-gateway`)).toBe(service)
    },
  )

  test('a path that nobody names goes to one service, which answers 404 like the others', () => {
    for (const path of ['/', '/decide-gateway/', '/merchant-account/a/b/c', '/analytics/none']) {
      expect(serviceOf(config, path)).toBe('query-api')
    }
  })

  test('a path that nobody names goes to the service that has all others below its first segment', () => {
    expect(serviceOf(config, '/events/m_1/evt_1/retries')).toBe('webhook-dispatcher')
  })

  test('a fixed segment is looked at before a parameter, whoever answers it', () => {
    const text = nginxConfigOf(table(['command-api', specOf('/a/:id/c'), specOf('/a/:id')], ['decide', specOf('/a/b'), specOf('/a/b/:c')]))
    expect(serviceOf(text, '/a/b')).toBe('decide')
    expect(serviceOf(text, '/a/b/c')).toBe('decide')
    expect(serviceOf(text, '/a/x/c')).toBe('command-api')
  })

  test('a path of two services is refused, and a pattern that nginx would read otherwise', () => {
    expect(() => nginxConfigOf(table(['decide', specOf('/a')], ['query-api', specOf('/a', { method: 'GET' })]))).toThrow(
      '/a is answered by decide and by query-api: a path belongs to one service',
    )
    expect(() => nginxConfigOf(table(['decide', specOf('/a/*rest')]))).toThrow('/a/*rest: the gateway knows no such pattern')
  })

  test('only what is streamed is unbuffered, up to 64 MiB', () => {
    const text = nginxConfigOf(table(['decide', specOf('/up', { body: 'stream' }), specOf('/plain', { body: 'json' })]))
    expect(text).toContain('location = /up {\n      client_max_body_size 65536k;\n      proxy_request_buffering off;')
    expect(text).not.toContain('location = /plain')
    const large = nginxConfigOf(table(['decide', specOf('/m/:id/up', { body: 'stream', streamBytesMax: 2 ** 30 })]))
    expect(large).toContain('location ~ ^/m/[^/]+/up$ {\n      client_max_body_size 1048576k;')
  })

  test('braces are closed, directives end, and nothing is written outside of /tmp', () => {
    const code = config.split('\n').filter((line) => !line.trim().startsWith('#'))
    let depth = 0
    for (const line of code.map((text) => text.trim()).filter((text) => text !== '')) {
      expect(line).toMatch(/[;{}]$/)
      depth += Number(line.endsWith('{')) - Number(line === '}')
      expect(depth).toBeGreaterThanOrEqual(0)
    }
    expect(depth).toBe(0)
    const places = code.filter((line) => /(_temp_path|pid) /.test(line))
    expect(places).toHaveLength(6)
    expect(places.filter((line) => !line.includes(' /tmp/'))).toEqual([])
  })
})
