import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { platformError, unavailable } from '../errors.ts'
import { JSON_BODY_BYTES_MAX, RAW_JSON_BODY_BYTES_MAX, STREAMED_BODY_BYTES_MAX } from '../limits.ts'
import type { Refusal, Route, RouteReply, RouteSpec } from '../route.ts'
import { bodyRoomOf } from './body-room.ts'
import { createBodyStream } from './body-stream.ts'
import { isJsonType, isPlainEncoding } from './content-type.ts'
import { takeLong } from './long-uploads.ts'
import { parseJson } from './parse-json.ts'
import { continueIfExpected, declaredLength, type ReadBody, readBody } from './read-body.ts'
import type { ShapedBodies } from './shaped-bodies.ts'

/** The body as its route's row wants it, or why it is not to be had. */
export type RouteBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'answered'; readonly reply: RouteReply }
  | { readonly kind: 'aborted' }

const NO_BODY: RouteBody = { kind: 'value', value: undefined }
const ABORTED: RouteBody = { kind: 'aborted' }
const WRONG_TYPE: RouteBody = {
  kind: 'answered',
  reply: platformError(415, 'TE_03', 'Expected request with `Content-Type: application/json`'),
}
const WRONG_ENCODING: RouteBody = {
  kind: 'answered',
  reply: platformError(415, 'TE_03', 'Expected a request body without Content-Encoding'),
}
const UNREADABLE_ENCODING: RouteBody = {
  kind: 'refused',
  refusal: { code: 'BODY_UNREADABLE', detail: 'a Content-Encoding is not supported' },
}

const ENCODED_FILE: RouteBody = { kind: 'refused', refusal: { code: 'BODY_ENCODED' } }

const REFUSED_ENCODING: Readonly<Record<BodySpec['body'], RouteBody>> = {
  json: WRONG_ENCODING,
  'raw-json': UNREADABLE_ENCODING,
  'optional-json': UNREADABLE_ENCODING,
  stream: ENCODED_FILE,
}

const BYTE_COUNT_MAX: Readonly<Record<'json' | 'raw-json' | 'optional-json' | 'stream', number>> = {
  json: JSON_BODY_BYTES_MAX,
  'raw-json': RAW_JSON_BODY_BYTES_MAX,
  'optional-json': RAW_JSON_BODY_BYTES_MAX,
  stream: STREAMED_BODY_BYTES_MAX,
}

/** The row of a route that takes a body. */
interface BodySpec {
  readonly body: Exclude<RouteSpec['body'], 'none'>
  readonly numbers?: RouteSpec['numbers'] | undefined
}

const TOO_MANY: RouteBody = { kind: 'answered', reply: unavailable('Too many large request bodies come at the same time; try again') }

const bodyOf = (bytes: ReadBody, { body: kind, numbers }: BodySpec, byteCountMax: number = BYTE_COUNT_MAX[kind]): RouteBody => {
  if (bytes === 'aborted') return ABORTED
  if (bytes === 'too-many') return TOO_MANY
  if (bytes === 'too-large' || bytes.length > byteCountMax)
    return { kind: 'refused', refusal: { code: 'BODY_TOO_LARGE', limitBytes: byteCountMax } }
  if (kind === 'optional-json' && bytes.length === 0) return NO_BODY
  const parsed = parseJson(bytes, numbers)
  return parsed.ok
    ? { kind: 'value', value: parsed.value }
    : { kind: 'refused', refusal: { code: 'BODY_UNREADABLE', detail: parsed.detail } }
}

const refuseHeaders = (kind: BodySpec['body'], headers: IncomingHttpHeaders): RouteBody | undefined => {
  if (kind === 'json' && !isJsonType(headers)) return WRONG_TYPE
  return isPlainEncoding(headers) ? undefined : REFUSED_ENCODING[kind]
}

/**
 * Reads and parses the body of a request (platform.md 1.1) and hands it to `done`, exactly once. A body on a route without
 * one is ignored, whatever its type; a stream is handed over unread.
 */
export const readRouteBody = (
  spec: RouteSpec,
  request: IncomingMessage,
  response: ServerResponse,
  done: (body: RouteBody) => void,
): void => {
  if (spec.body === 'none') {
    done(NO_BODY)
    return
  }
  // The client went away while its key was looked up: nothing tells of that any more.
  if (request.destroyed) {
    done(ABORTED)
    return
  }
  const refused = refuseHeaders(spec.body, request.headers)
  if (refused !== undefined) {
    done(refused)
    return
  }
  const { body: kind, numbers } = spec
  const byteCountMax = spec.streamBytesMax ?? BYTE_COUNT_MAX[kind]
  // Before a client that asks whether to send it is told to.
  if (declaredLength(request) > byteCountMax) {
    done(bodyOf('too-large', { body: kind }, byteCountMax))
    return
  }
  continueIfExpected(request, response)
  if (byteCountMax > STREAMED_BODY_BYTES_MAX) takeLong(request)
  if (kind === 'stream') done({ kind: 'value', value: createBodyStream(request, byteCountMax) })
  else readBody(request, { byteCountMax, room: bodyRoomOf(spec.access) }, (bytes) => done(bodyOf(bytes, { body: kind, numbers })))
}

/** As {@link readRouteBody}, for a body that was received as a whole; `shaped` knows those of the route before it. */
export const receivedRouteBody = (
  { spec }: Pick<Route, 'spec'>,
  headers: IncomingHttpHeaders,
  bytes: Buffer,
  shaped: ShapedBodies,
): RouteBody => {
  const { body: kind, numbers } = spec
  if (kind === 'none') return NO_BODY
  const refused = refuseHeaders(kind, headers)
  if (refused !== undefined) return refused
  if (numbers === 'exact') return bodyOf(bytes, { body: kind, numbers }) // a shape reads numbers as JavaScript has them
  const known = shaped.read(bytes)
  if (known !== undefined) return { kind: 'value', value: known }
  const body = bodyOf(bytes, { body: kind })
  if (body.kind === 'value' && body.value !== undefined) shaped.learn(bytes)
  return body
}
