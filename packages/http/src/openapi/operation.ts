import type { z } from 'zod'
import type { Route, RouteSpec } from '../route.ts'
import type { JsonSchema, JsonSchemas } from './json-schemas.ts'
import { type ApiObject, type Envelopes, refusalOf } from './refusals.ts'
import { refusedStatusesOf, refusesLike } from './statuses.ts'

/** The path as OpenAPI writes it: `/merchant-account/{merchantId}`. */
export const templateOf = ({ path }: Pick<RouteSpec, 'path'>): string => path.replace(/:(\w+)/g, '{$1}')

/** For example `getMerchantAccountMerchantId`. */
export const operationIdOf = ({ method, path }: Pick<RouteSpec, 'method' | 'path'>): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Any of the alternatives opens the route. */
const SECURITY: Readonly<Record<RouteSpec['access'], readonly ApiObject[]>> = {
  public: [],
  admin: [{ adminSecret: [] }],
  session: [{ session: [] }],
  protected: [{ apiKey: [] }, { session: [] }, { adminSecret: [] }],
}

const securityOf = ({ access, identity }: RouteSpec): readonly ApiObject[] =>
  identity === 'required' ? SECURITY[access].filter((alternative) => !('adminSecret' in alternative)) : SECURITY[access]

const parameterRef = (name: string): ApiObject => ({ $ref: `#/components/parameters/${name}` })

const pathParameters = ({ path }: RouteSpec): readonly ApiObject[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } }))

type Parameters = Readonly<Record<string, z.ZodType>> | undefined

const ownParameters = (place: 'query' | 'header', parameters: Parameters, schemas: JsonSchemas, id: string): readonly ApiObject[] =>
  Object.entries(parameters ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: false,
    schema: schemas.of(schema, `${id}_${name}`),
  }))

const parametersOf = ({ spec, api }: Route, schemas: JsonSchemas, id: string): readonly ApiObject[] => [
  ...pathParameters(spec),
  ...(spec.tenant ? [parameterRef('tenant')] : []),
  parameterRef('requestId'),
  parameterRef('traceparent'),
  ...(spec.access === 'public' ? [] : [parameterRef('minLogPosition')]),
  ...ownParameters('query', api?.query, schemas, id),
  ...ownParameters('header', api?.headers, schemas, id),
]

const MEDIA_OF_BODY: Readonly<Record<Exclude<RouteSpec['body'], 'none'>, string>> = {
  json: 'application/json',
  'raw-json': 'application/json',
  'optional-json': 'application/json',
  stream: 'application/x-ndjson',
}

const requestBodyOf = ({ spec, api }: Route, schemas: JsonSchemas, id: string): ApiObject => {
  if (spec.body === 'none') return {}
  // A streamed body without a schema is a file.
  if (spec.body === 'stream' && api?.body === undefined)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } } }
  const schema: JsonSchema = api?.body === undefined ? {} : schemas.of(api.body, `${id}_body`)
  return { requestBody: { required: spec.body !== 'optional-json', content: { [MEDIA_OF_BODY[spec.body]]: { schema } } } }
}

/** Where a route has an envelope of its own, the gate in front of it still answers in the platform's, unless that is restated. */
const envelopesOf = (route: Route): Envelopes => {
  const own = refusesLike(route)
  return own === 'decisions' ? 'either' : own
}

/** A refusal by its reference when it is the usual one of its status, else in full. */
const refusalsOf = (route: Route, schemas: JsonSchemas, id: string): ApiObject => {
  const envelopes = envelopesOf(route)
  return Object.fromEntries(
    Object.entries(refusedStatusesOf(route)).map(([name, when]) => {
      const status = Number(name)
      const body = route.api?.refusalBodies?.[status]
      return [name, refusalOf({ status, when, envelopes, ...(body !== undefined && { body: schemas.of(body, `${id}_${name}`) }) })]
    }),
  )
}

const answerOf = ({ spec, api }: Route, schemas: JsonSchemas, id: string): ApiObject => {
  const headers = {
    'x-request-id': { $ref: '#/components/headers/RequestId' },
    ...(spec.method === 'GET' ? {} : { 'x-log-position': { $ref: '#/components/headers/LogPosition' } }),
  }
  const description = api?.status === 202 ? 'Accepted' : 'Done'
  if (api?.answer === undefined) return { description, headers }
  const schema = schemas.of(api.answer, `${id}_answer`)
  return { description, headers, content: { [api.media ?? 'application/json']: { schema } } }
}

/** One operation of the document. */
export const operationOf = (route: Route, schemas: JsonSchemas): ApiObject => {
  const { spec, api } = route
  const operationId = operationIdOf(spec)
  const [, tag = 'root'] = spec.path.split('/')
  return {
    operationId,
    tags: [tag],
    summary: api?.summary ?? `${spec.method} ${templateOf(spec)}`,
    security: securityOf(spec),
    parameters: parametersOf(route, schemas, operationId),
    ...requestBodyOf(route, schemas, operationId),
    responses: { [api?.status ?? 200]: answerOf(route, schemas, operationId), ...refusalsOf(route, schemas, operationId) },
  }
}
