import * as z from 'zod'
import type { Route, RouteReply, RouteSpec } from '../route.ts'
import { type ApiDocument, createApiDocument } from './document.ts'
import { referencePage } from './reference-page.ts'

const specOf = (path: string): RouteSpec => ({
  method: 'GET',
  path,
  access: 'public',
  permission: 'routing:read',
  tenant: false,
  body: 'none',
  hot: false,
})

/** Told by OpenAPI 3.1 itself. */
const openObject = z.record(z.string(), z.unknown())

/** The page has no script and loads nothing, and browsers are told to hold it to that. */
const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * The routes with two more that describe them all, or the whole interface that they are a part of: `GET /openapi.json` and
 * `GET /docs`. Made when they are first asked for.
 */
export const withApiDescription = (routes: readonly Route[], whole?: ApiDocument): readonly Route[] => {
  const document = once(() => whole ?? createApiDocument(described))
  const json = once(() => JSON.stringify(document()))
  const page = once(
    (): RouteReply => ({ status: 200, text: referencePage(document()), contentType: 'text/html; charset=utf-8', headers: PAGE_HEADERS }),
  )
  const described: readonly Route[] = [
    ...routes,
    {
      spec: specOf('/openapi.json'),
      api: {
        summary: 'This description',
        answer: z.object({ openapi: z.string(), info: openObject, paths: openObject, components: openObject }),
      },
      handle: () => ({ status: 200, json: json() }),
    },
    {
      spec: specOf('/docs'),
      api: { summary: 'This description as a page to read', answer: z.string(), media: 'text/html' },
      handle: page,
    },
  ]
  return described
}

/** The description of an interface that has these routes and {@link withApiDescription}'s. */
export const describeInterface = (routes: readonly Route[]): ApiDocument => createApiDocument(withApiDescription(routes))
