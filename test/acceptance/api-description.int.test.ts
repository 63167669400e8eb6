import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { type Answer, admin, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { type DescribedApi, describedApi, type Operation, parsedBodies } from '../support/described-api.ts'
import { experimentClient, ref } from '../support/experiment-client.ts'
import { tenant } from '../support/feedback-client.ts'
import { memberOf, resolve, type Schema, schemaOf, type ValueSource, valueOf } from '../support/schema-arbitrary.ts'
import { type RunningServer, startServer, temporaryFolder, testOnEmbedded } from '../support/server.ts'
import { SESSION_KINDS, type Sessions, SUPER_ADMIN, startSessions } from '../support/sessions.ts'

/** Requests of each operation; more of them look closer, and take longer. */
const REQUEST_COUNT = Number(process.env['SWITCHYARD_TEST_API_REQUESTS'] ?? 25)
const TIMEOUT_MS: number = 300_000 + REQUEST_COUNT * 4_000
/** Each opens other ways through a route. */
const CREDENTIALS = ['none', 'key', 'admin', ...SESSION_KINDS] as const

const folder = temporaryFolder()
let server: RunningServer
let merchant: TestMerchant
let document: Schema
let api: DescribedApi
let sessions: Sessions

const knownValues = (): ValueSource['known'] => ({
  merchantId: [merchant.id],
  merchant_id: [merchant.id],
  created_by: [merchant.id],
  createdBy: [merchant.id],
  feature: ['elimination', 'autopilot'],
  paymentId: ['pay_1', 'pay_2'],
  payment_id: ['pay_1', 'pay_2'],
  txnUuid: ['pay_1'],
  currency: ['EUR', 'USD'],
  country: ['DE', 'US'],
  gateway: ['stripe', 'adyen'],
  gateway_name: ['stripe', 'adyen'],
  eligibleGatewayList: [['stripe', 'adyen'], ['checkout']],
  lhs: ['currency', 'amount', 'payment_method'],
  routing_algorithm_id: ['routing_1'],
  email: ['ops@example.test'],
  password: ['Password123!', 'short'],
  current_password: ['Password123!', 'short'],
  new_password: ['Password123!', 'short'],
  role: ['admin', 'member'],
  'x-tenant-id': ['public'],
})

beforeAll(async () => {
  const env = {
    SWITCHYARD_SUPER_ADMIN_EMAILS: SUPER_ADMIN,
    SWITCHYARD_PASSWORD_MEMORY_KIB: '64',
    SWITCHYARD_LOGIN_ATTEMPTS_PER_ACCOUNT: '1000000',
    SWITCHYARD_LOGIN_ATTEMPTS_PER_ADDRESS: '1000000',
  }
  server = await startServer({ dataDir: folder.path, env })
  merchant = await createMerchant(server.url)
  sessions = await startSessions(server.url, merchant.id)
  document = (await call(server.url, 'GET /openapi.json')).json
  api = describedApi(document)
  // Something to be read.
  await call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'pay_1'), headers: merchant.key })
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

describe('the API description', () => {
  test('is an OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate({ ...document })
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(validator.version).toBe('3.1')
  })

  test('a cluster serves the same one', () => {
    const committed = fileURLToPath(new URL('../../services/query-api/openapi.json', import.meta.url))
    expect(document).toEqual(JSON.parse(readFileSync(committed, 'utf8')))
  })

  test('every reference leads somewhere, and every schema compiles', () => {
    for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
      expect([reference, resolve(document, { $ref: reference ?? '' })]).not.toEqual([reference, {}])
    api.compileAll()
  })

  test('is mounted as it says: each operation is known, and no other method of its path', async () => {
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
    for (const [path, described] of Object.entries(schemaOf(document['paths']))) {
      const url = path.replace(/\{\w+\}/g, 'x')
      for (const method of methods) {
        const { status } = await call(server.url, `${method} ${url}`, { headers: admin })
        const isDescribed = method.toLowerCase() in schemaOf(described)
        expect([method, path, status === 405]).toEqual([method, path, !isDescribed])
        if (isDescribed) expect([method, path, status]).not.toEqual([method, path, 501])
      }
    }
  })

  test('says of every operation what it does, and what it answers', () => {
    for (const { path, method, operation } of api.operations) {
      expect([path, operation['summary']]).not.toEqual([path, `${method} ${path}`])
      if (operation['requestBody'] !== undefined) {
        const [content] = Object.values(schemaOf(schemaOf(operation['requestBody'])['content']))
        expect([path, schemaOf(content)['schema']]).not.toEqual([path, {}])
      }
    }
  })

  test('lists the words that a request may use where there are few: types of events and what a report covers had to be guessed', () => {
    const taken: readonly (readonly [method: string, path: string, word: string])[] = [
      ['POST', '/merchant-account/{merchantId}/events', 'payout_not_permitted'],
      ['PUT', '/merchant-account/{merchantId}/webhook-endpoint', 'payout_not_permitted'],
      ['POST', '/events/{merchantId}/recover', 'payout_not_permitted'],
      ['POST', '/events/{merchantId}', 'payout_not_permitted'],
      ['GET', '/events/{merchantId}', 'payout_not_permitted'],
      ['GET', '/events/{merchantId}', 'subscriptions'],
      ['POST', '/merchant-account/{merchantId}/connectors/{connector}/report', 'parts_of_days'],
    ]
    const unlisted = taken.filter(([method, path, word]) => {
      const described = api.operations.find((operation) => operation.method === method && operation.path === path)?.operation ?? {}
      return !JSON.stringify([described['requestBody'], described['parameters']]).includes(`"${word}"`)
    })
    expect(unlisted).toEqual([])
  })

  test('names every member of answers that have a lot to tell', async () => {
    const tested = await createMerchant(server.url)
    const { running, created, decide, settled, listed, report, post, get } = experimentClient(
      () => server.url,
      () => tested,
    )
    const id = await running({ control_sr_config: { margin: 0.5 } })
    const answers: (readonly [method: string, path: string, answer: Answer])[] = [
      ['POST', '/decide-gateway', await decide('pay_1')],
      ['POST', '/update-gateway-score', await report('pay_1', 'CHARGED')],
      ['GET', '/routing/experiments/{createdBy}', await listed()],
      ['GET', '/analytics/experiment/{experimentId}/results', await settled(id, 1)],
      ['GET', '/decisions/{paymentId}', await get('/decisions/pay_1')],
    ]
    // Refused, for errors to have samples.
    expect((await post('/decide-gateway', decisionRequest(tested.id, 'pay_2', { eligibleGatewayList: [] }))).status).toBe(400)
    await eventually(
      'an error',
      () => get('/analytics/log-summaries'),
      ({ json }) => json.total_errors === 1,
    )
    const reads = [
      'overview',
      'gateway-scores',
      'decisions',
      'routing-stats',
      'log-summaries',
      'payment-audit',
      'preview-trace',
      'routing-events',
    ]
    for (const read of reads) answers.push(['GET', `/analytics/${read}`, await get(`/analytics/${read}`)])
    const other = await created('single', ref('adyen'))
    const simulated = await post('/routing/simulate', { created_by: tested.id, routing_algorithm_id: other, range: '1h' })
    answers.push(['POST', '/routing/simulate', simulated])
    const headers = { ...tested.key, ...tenant }
    const tried = await call(server.url, 'POST /analytics/back-test', { body: { changes: { hedging_percent: 0 } }, headers })
    answers.push(['POST', '/analytics/back-test', tried])
    for (const [method, path, answer] of answers) {
      const described = api.operations.find((operation) => operation.method === method && operation.path === path)?.operation ?? {}
      expect([path, answer.status]).toEqual([path, 200])
      for (const body of parsedBodies(answer)) expect([path, api.problemsOf(described, 200, body)]).toEqual([path, []])
    }
  })

  testOnEmbedded('tells what a process that stops answers when it is asked whether it is ready', async () => {
    const stopping = await startServer({ dataDir: `${folder.path}/stopping`, env: { SWITCHYARD_DRAIN_MS: '60000' } })
    const ended = stopping.stop()
    const ready = () => call(stopping.url, 'GET /health/ready')
    const down = await eventually('being not ready', ready, ({ status }) => status !== 200)
    await stopping.stop()
    await ended
    const described = api.operations.find(({ path }) => path === '/health/ready')
    expect(api.problemsOf(described?.operation ?? {}, down.status, down.json)).toEqual([])
  })

  test('the page to read shows every operation and loads nothing', async () => {
    const page = await call(server.url, 'GET /docs')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const { operation } of api.operations) expect(page.text).toContain(`id="${String(operation['operationId'])}"`)
    expect(page.text).not.toMatch(/<script|src=|@import|url\(/)
  })
})

interface Sent {
  readonly url: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly credential: (typeof CREDENTIALS)[number]
}

/** Text without halves of characters, which no URL can hold. */
const wellFormed = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString()

/** A value in the place of a path's parameter. A gateway passes on neither the character NUL nor a path that leads above the root. */
const segmentOf = (value: unknown): string => encodeURIComponent(wellFormed(value) || 'x').replace(/%00|\.\.+|^\.$/g, 'x')

const requestOf = ({ path, operation }: Operation): fc.Arbitrary<Sent> => {
  const source: ValueSource = { document, known: knownValues() }
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].map((one) => resolve(document, schemaOf(one))) : []
  const valuesIn = (place: string): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
    const own = parameters.filter((parameter) => parameter['in'] === place)
    const members = own.map(({ name, schema }) => [String(name), memberOf(String(name), schemaOf(schema), source)] as const)
    return fc.record(Object.fromEntries(members), place === 'query' ? { requiredKeys: [] } : {})
  }
  const content = schemaOf(schemaOf(schemaOf(operation['requestBody'])['content']))
  const [media] = Object.entries(content)
  const body = media === undefined ? fc.constant(undefined) : valueOf(schemaOf(schemaOf(media[1])['schema']), source)
  return fc
    .record({
      inPath: valuesIn('path'),
      inQuery: valuesIn('query'),
      inHeaders: fc.subarray(['x-tenant-id']),
      body,
      credential: fc.constantFrom(...CREDENTIALS),
    })
    .map(({ inPath, inQuery, inHeaders, body: sent, credential }) => {
      const query = new URLSearchParams(
        Object.entries(inQuery).map(([name, value]): [string, string] => [name, wellFormed(value)]),
      ).toString()
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(inPath[name]))
      return {
        url: query === '' ? url : `${url}?${query}`,
        body: sent === undefined ? undefined : JSON.stringify(sent),
        headers: Object.fromEntries(inHeaders.map((name) => [name, 'public'])),
        credential,
      }
    })
}

describe('requests made from the description', () => {
  test(
    'every answer is one that it promises, and none is a fault',
    async () => {
      for (const operation of api.operations) await holds(operation)
      // Each credential was one: some of what it asked for behind the gate was done.
      expect(CREDENTIALS.filter((credential) => !accepted.has(credential))).toEqual(['none'])
    },
    TIMEOUT_MS,
  )
})

/** Credentials with which something was done. */
const accepted = new Set<string>()

/** What ends the session that asks for it: the next request begins another one. */
const ENDING: ReadonlySet<string> = new Set(['/auth/logout', '/auth/change-password'])

const credentialsOf = async (credential: Sent['credential']): Promise<Readonly<Record<string, string>>> => {
  switch (credential) {
    case 'none':
      return {}
    case 'key':
      return merchant.key
    case 'admin':
      return admin
    default:
      return await sessions.headersOf(credential)
  }
}

const holds = async (described: Operation): Promise<void> => {
  const { method, operation } = described
  // Merchants close for good: what would take the ground away is asked for by strangers only.
  const isClosing = described.path === '/merchant-account/{merchantId}' && method === 'DELETE'
  const property = fc.asyncProperty(requestOf(described), async ({ url, body, headers, credential }) => {
    const credentials = isClosing ? {} : await credentialsOf(credential)
    const answer = await call(server.url, `${method} ${url}`, {
      ...(body !== undefined && { body }),
      headers: { ...headers, ...credentials },
    })
    if (ENDING.has(described.path)) sessions.forget()
    if (answer.status === 200 && JSON.stringify(operation['security']) !== '[]' && !isClosing) accepted.add(credential)
    const where = `${credential}: ${method} ${url} ${body ?? ''} -> ${answer.status} ${answer.text.slice(0, 300)}`
    if (answer.status >= 500 && answer.headers.get('retry-after') === null) throw new Error(`a fault: ${where}`)
    if (!(answer.status in schemaOf(operation['responses']))) throw new Error(`not described: ${where}`)
    const problems = parsedBodies(answer).flatMap((one) => api.problemsOf(operation, answer.status, one))
    if (problems.length > 0) throw new Error(`another body: ${where}: ${problems.join(', ')}`)
  })
  await fc.assert(property, { numRuns: REQUEST_COUNT, endOnFailure: true })
}
