import { assert } from '@switchyard/kernel'
import type { Route } from '../route.ts'
import { createJsonSchemas } from './json-schemas.ts'
import { operationIdOf, operationOf, templateOf } from './operation.ts'
import { type ApiObject, usualRefusals } from './refusals.ts'

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly openapi: '3.1.0'
  readonly info: ApiObject
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiObject>>>>
  readonly components: Readonly<Record<string, ApiObject>>
}

/** The release of the interface. */
const INTERFACE_VERSION = '0.1.0'

const INTRODUCTION = `Decides for every payment which gateway processes it, and learns from the outcomes.

Fields that are not listed are ignored; null and absent mean the same wherever null is allowed. A JSON body that names a member
twice is refused. HEAD works wherever GET does. An unknown path is 404 and a wrong method 405 with Allow, both without a body;
on protected paths credentials are checked first. Requests that break HTTP itself are answered 400, 408, 413, 417 or 431.`

const nullable = (type: string): ApiObject => ({ type: [type, 'null'] })

const SCHEMAS: ApiObject = {
  PlatformError: {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'string', description: 'TE_00 processing, TE_01 log or store, TE_02 not found, TE_03 validation, TE_04 configuration' },
      message: { type: 'string' },
      data: { type: ['object', 'null'] },
    },
  },
  EventsError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['type', 'message', 'code'],
        properties: { type: { enum: ['invalid_request', 'api'] }, message: { type: 'string' }, code: { type: 'string' } },
      },
    },
  },
  DecisionError: {
    type: 'object',
    required: ['status', 'error_code', 'error_message', 'error_info'],
    properties: {
      status: { type: 'string' },
      error_code: { type: 'string' },
      error_message: { type: 'string' },
      priority_logic_tag: nullable('string'),
      routing_approach: nullable('string'),
      filter_wise_gateways: nullable('object'),
      error_info: {
        type: 'object',
        required: ['code', 'user_message', 'developer_message'],
        properties: { code: { type: 'string' }, user_message: { type: 'string' }, developer_message: { type: 'string' } },
      },
      priority_logic_output: nullable('object'),
      is_dynamic_mga_enabled: { type: 'boolean' },
    },
  },
}

const header = (name: string, description: string, schema: ApiObject = { type: 'string' }): ApiObject => ({
  name,
  in: 'header',
  required: name === 'x-tenant-id',
  description,
  schema,
})

const PARAMETERS: ApiObject = {
  tenant: header('x-tenant-id', 'The tenant', { type: 'string', examples: ['public'] }),
  requestId: header('x-request-id', 'Comes back with the answer and stands in the log; made when absent', {
    type: 'string',
    maxLength: 128,
  }),
  traceparent: header('traceparent', 'W3C trace context: its trace id goes into the log and the events'),
  minLogPosition: header('x-min-log-position', 'An earlier x-log-position: the answer waits until it shows what was written there'),
}

const HEADERS: ApiObject = {
  RequestId: { description: 'Names the request in the log', schema: { type: 'string' } },
  LogPosition: {
    description:
      'Where the write stands in the log; absent when nothing was recorded, and where lines of the answer say it each for itself',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds', schema: { type: 'integer', minimum: 0 } },
}

const SECURITY_SCHEMES: ApiObject = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key of a merchant' },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token that a login gives' },
  adminSecret: { type: 'apiKey', in: 'header', name: 'x-admin-secret', description: "The deployment's admin secret" },
}

/** Describes routes: what they take follows from the rows and schemas that they are checked against. */
export const createApiDocument = (routes: readonly Route[]): ApiDocument => {
  const schemas = createJsonSchemas()
  const paths: Record<string, Record<string, ApiObject>> = {}
  const ids = new Set<string>()
  for (const route of routes) {
    const id = operationIdOf(route.spec)
    assert(!ids.has(id), `two routes are called ${id} in the API's description`)
    ids.add(id)
    const path = templateOf(route.spec)
    paths[path] = { ...paths[path], [route.spec.method.toLowerCase()]: operationOf(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Switchyard',
      version: INTERFACE_VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: { ...SCHEMAS, ...schemas.named() },
      responses: usualRefusals(),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
