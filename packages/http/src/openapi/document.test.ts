import { describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import type { Route } from '../route.ts'
import { sampleSpec } from '../server/sample-server.fixture.ts'
import { createApiDocument } from './document.ts'
import { referencePage } from './reference-page.ts'
import { refusedStatusesOf } from './statuses.ts'

const answer = (): { readonly status: number } => ({ status: 200 })

const tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), children: z.array(tree) }))

const route: Route = {
  spec: sampleSpec({
    method: 'PUT',
    path: '/things/:thingId/tree',
    access: 'protected',
    tenant: true,
    merchant: { in: 'body', name: 'owner', whenUnknown: 'not-found' },
    body: 'json',
  }),
  api: { summary: 'Plant a <tree>', body: z.object({ owner: z.string(), tree }), answer: z.string(), refusals: { 409: 'Occupied' } },
  handle: answer,
}

describe('the description of routes', () => {
  const document = createApiDocument([route, { spec: sampleSpec({ path: '/sample' }), handle: answer }])
  const operation = document.paths['/things/{thingId}/tree']?.['put'] ?? {}

  test('has what follows from a row: path, credentials, tenant, refusals of gate and body', () => {
    expect(operation).toMatchObject({
      operationId: 'putThingsThingIdTree',
      tags: ['things'],
      security: [{ apiKey: [] }, { session: [] }, { adminSecret: [] }],
      parameters: expect.arrayContaining([
        { name: 'thingId', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
        { $ref: '#/components/parameters/tenant' },
      ]),
    })
    expect(Object.keys(Object(operation['responses']))).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
    expect(document.paths['/sample']?.['get']).toMatchObject({ security: [] })
  })

  test('has the schema of the body, what refers to itself by name', () => {
    const name = 'putThingsThingIdTree_body_schema0'
    expect(operation['requestBody']).toMatchObject({
      content: {
        'application/json': { schema: { required: ['owner', 'tree'], properties: { tree: { $ref: `#/components/schemas/${name}` } } } },
      },
    })
    expect(document.components['schemas']).toMatchObject({
      [name]: { properties: { children: { items: { $ref: `#/components/schemas/${name}` } } } },
    })
  })

  test('an unknown merchant is a bad request where decisions and reports are refused, and not found elsewhere', () => {
    expect(refusedStatusesOf(route)).toMatchObject({ 404: 'The merchant is not known' })
    const ofDecisions = refusedStatusesOf({ ...route, refuse: answer })
    expect(ofDecisions).toMatchObject({ 400: 'The body can not be read, or the merchant is not known' })
    expect(ofDecisions).not.toHaveProperty('404')
  })

  test('a refusal that comes in no envelope is described with the body that it has', () => {
    const api = { summary: 'Whether it is there', refusals: { 410: 'It is gone' }, refusalBodies: { 410: z.object({ since: z.string() }) } }
    const gone = createApiDocument([{ ...route, api }]).paths['/things/{thingId}/tree']?.['put']
    expect(gone).toMatchObject({
      responses: {
        410: {
          content: {
            'application/json': { schema: { anyOf: [{ $ref: '#/components/schemas/PlatformError' }, { required: ['since'] }] } },
          },
        },
      },
    })
  })

  test('two routes of one name are a mistake', () => {
    expect(() => createApiDocument([route, route])).toThrow('two routes are called putThingsThingIdTree')
  })

  test('the page to read shows texts as texts', () => {
    expect(referencePage(document)).toContain('Plant a &lt;tree&gt;')
    expect(referencePage(document)).not.toContain('<tree>')
  })
})
