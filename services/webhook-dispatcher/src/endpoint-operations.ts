import { createPlaces } from '@switchyard/kernel'
import { createTurns } from '@switchyard/runtime'
import {
  deliveryError,
  type Endpoint,
  type EndpointConfiguration,
  type EndpointsRejection,
  type EndpointsState,
  endpointHealth,
  endpointOf,
  failingSince,
  maskedHeaders,
  type ProtectedSecret,
  secretHint,
  secretOf,
  validSecrets,
  webhookEndpoints,
} from '@switchyard/webhooks'
import { prepareRequest } from './delivery/prepare-request.ts'
import { PINGS_PER_MERCHANT_MAX, PINGS_UNDER_WAY_MAX } from './limits.ts'
import type { Answer, EndpointPlace, EndpointView, EndpointWish, Exchanged, WebhookOperations, WebhookRefusal } from './operations.ts'
import { currentEndpoint, newEventId, type Parts, readLife, refused } from './parts.ts'

const SECRET_BYTES = 32

type EndpointOperations = Pick<WebhookOperations, 'configureEndpoint' | 'readEndpoint' | 'removeEndpoint' | 'rotateSecret' | 'testEndpoint'>

const REFUSALS: Readonly<Record<EndpointsRejection['code'] | 'CONFLICT', WebhookRefusal>> = {
  MERCHANT_NOT_FOUND: 'MERCHANT_NOT_FOUND',
  ENDPOINT_NOT_FOUND: 'ENDPOINT_NOT_FOUND',
  TOO_MANY_ENDPOINTS: 'TOO_MANY_ENDPOINTS',
  TOO_MANY_SECRETS: 'TOO_MANY_SECRETS',
  CONFLICT: 'CONFLICT',
}

const sealText = async ({ sealed }: Parts, merchantId: string, value: unknown): Promise<string> =>
  Buffer.from(await sealed.seal(merchantId, value)).toString('base64')

const protect = async (parts: Parts, merchantId: string, secret: string): Promise<ProtectedSecret> => ({
  secret: await sealText(parts, merchantId, secret),
  hint: secretHint(secret),
})

/** A secret that a merchant chose; one that signs for its endpoint already as it stands there, so that it is recognised. */
const protectChosen = async (parts: Parts, { merchantId, profileId }: EndpointPlace, secret: string): Promise<ProtectedSecret> => {
  const endpoint = currentEndpoint(parts, merchantId, profileId)
  if (endpoint === undefined) return await protect(parts, merchantId, secret)
  const at = parts.now()
  const opened = await parts.openEndpoint(merchantId, endpoint, at)
  const index = opened?.secrets.indexOf(secret) ?? -1
  return validSecrets(endpoint, at)[index] ?? (await protect(parts, merchantId, secret))
}

const viewOf = async (
  { journal }: Parts,
  { merchantId, profileId }: EndpointPlace,
  state: EndpointsState,
  generatedSecret: string | null,
): Promise<Answer<EndpointView>> => {
  const found = endpointOf(state, profileId)
  if (found === undefined) return refused('ENDPOINT_NOT_FOUND')
  const { secrets, customHeaders: _customHeaders, ...endpoint } = found
  const health = await journal.view(endpointHealth, [merchantId, profileId])
  const firstFailureAt = failingSince(health, endpoint.createdAt)
  return { ok: true, value: { endpoint, secretHint: secrets[0]?.hint ?? '', firstFailureAt, generatedSecret } }
}

const settingsOf = async (parts: Parts, merchantId: string, wish: EndpointWish): Promise<EndpointConfiguration> => {
  const { secret: _secret, customHeaders, ...plain } = wish
  return { ...plain, customHeaders: await sealText(parts, merchantId, customHeaders), customHeaderNames: Object.keys(customHeaders) }
}

const configure = async (parts: Parts, request: EndpointPlace & { readonly wish: EndpointWish }): Promise<Answer<EndpointView>> => {
  const { merchantId, profileId, origin, wish } = request
  const checked = parts.checkUrl(wish.url)
  if (!checked.accepted) return refused('ENDPOINT_ADDRESS_REFUSED', checked.rule)
  const life = await readLife(parts, request)
  if (!parts.states.stateOf(webhookEndpoints, merchantId).registered) return refused('MERCHANT_NOT_FOUND')
  const secret = secretOf(parts.randomBytes(SECRET_BYTES))
  const generated = await protect(parts, merchantId, secret)
  const outcome = await parts.handle(webhookEndpoints, {
    key: merchantId,
    life,
    command: {
      type: 'ConfigureEndpoint',
      merchantId,
      profileId,
      at: parts.now(),
      settings: await settingsOf(parts, merchantId, wish),
      chosen: wish.secret === null ? null : await protectChosen(parts, request, wish.secret),
      generated,
    },
    origin,
  })
  if (!outcome.accepted) return refused(REFUSALS[outcome.rejection.code])
  const wasGenerated = endpointOf(outcome.state, profileId)?.secrets[0]?.secret === generated.secret
  const answer = await viewOf(parts, request, outcome.state, wasGenerated ? secret : null)
  return answer.ok ? { ...answer, position: outcome.position } : answer
}

const read = async (parts: Parts, place: EndpointPlace): Promise<Answer<EndpointView>> => {
  await parts.states.readIndex(place.merchantId)
  await parts.journal.readIndex(place.merchantId)
  return await viewOf(parts, place, parts.states.stateOf(webhookEndpoints, place.merchantId), null)
}

const remove = async (parts: Parts, { merchantId, profileId, origin }: EndpointPlace): Promise<Answer<null>> => {
  const command = { type: 'RemoveEndpoint', merchantId, profileId, at: parts.now() } as const
  const outcome = await parts.handle(webhookEndpoints, { key: merchantId, command, origin })
  if (outcome.accepted) return { ok: true, value: null, position: outcome.position }
  return outcome.rejection.code === 'ENDPOINT_NOT_FOUND' ? { ok: true, value: null } : refused(REFUSALS[outcome.rejection.code])
}

const rotate: (parts: Parts, request: Parameters<EndpointOperations['rotateSecret']>[0]) => ReturnType<EndpointOperations['rotateSecret']> =
  async (parts, { secret: chosen, graceMs, ...place }) => {
    const { merchantId, profileId, origin } = place
    const at = parts.now()
    const life = await readLife(parts, place)
    if (currentEndpoint(parts, merchantId, profileId) === undefined) return refused('ENDPOINT_NOT_FOUND')
    const secret = chosen ?? secretOf(parts.randomBytes(SECRET_BYTES))
    const next = await protectChosen(parts, place, secret)
    const command = { type: 'RotateSecret', merchantId, profileId, at, next, graceMs } as const
    const outcome = await parts.handle(webhookEndpoints, { key: merchantId, life, command, origin })
    if (!outcome.accepted) return refused(REFUSALS[outcome.rejection.code])
    if (outcome.position !== undefined) return { ok: true, value: { secret, previousValidUntil: at + graceMs }, position: outcome.position }
    const [, previous] = endpointOf(outcome.state, profileId)?.secrets ?? []
    return { ok: true, value: { secret, previousValidUntil: previous?.validUntil ?? at } }
  }

/** A ping that is signed and sent as every event, and recorded nowhere (webhooks.md 9.1). */
const sendPing = async (parts: Parts, merchantId: string, endpoint: Endpoint): Promise<Answer<Exchanged>> => {
  const at = parts.now()
  const eventId = newEventId(parts)
  const body = JSON.stringify({ merchant_id: merchantId, event_id: eventId, event_type: 'ping', timestamp: new Date(at).toISOString() })
  const request = await prepareRequest(parts, endpoint, { merchantId, chainId: eventId, body: Buffer.from(body), at })
  if (request === undefined) return refused('CONTENT_FORGOTTEN')
  const outcome = await parts.send(request)
  const answer = outcome.kind === 'answered' ? { body: outcome.body, headers: outcome.headers, statusCode: outcome.status } : undefined
  const nothing = { body: null, headers: null, statusCode: null }
  return {
    ok: true,
    value: {
      request: { body, headers: maskedHeaders(request.headers) },
      response: { ...(answer ?? nothing), errorMessage: deliveryError(outcome) ?? null },
    },
  }
}

const createPing = (parts: Parts): EndpointOperations['testEndpoint'] => {
  const places = createPlaces({ countMax: PINGS_UNDER_WAY_MAX, perOwnerMax: PINGS_PER_MERCHANT_MAX })
  return async ({ merchantId, profileId }) => {
    await parts.states.readIndex(merchantId)
    const endpoint = currentEndpoint(parts, merchantId, profileId)
    if (endpoint === undefined) return refused('ENDPOINT_NOT_FOUND')
    if (!places.isFree(merchantId)) return refused('TOO_MANY_PINGS')
    return await places.within(merchantId, () => sendPing(parts, merchantId, endpoint))
  }
}

/** Configuring, reading, removing and testing endpoints, and their secrets (webhooks.md 9.1). */
export const createEndpointOperations = (parts: Parts): EndpointOperations => {
  const takeTurn = createTurns()
  /** A secret that is sent twice at once is recognised only by who has seen the first one stored. */
  const inTurn = async <Value>(merchantId: string, task: () => Promise<Answer<Value>>): Promise<Answer<Value>> =>
    (await takeTurn(merchantId, task)) ?? refused('CONFLICT')
  return {
    configureEndpoint: (request) => configure(parts, request),
    readEndpoint: (place) => read(parts, place),
    removeEndpoint: (place) => remove(parts, place),
    rotateSecret: (request) => inTurn(request.merchantId, () => rotate(parts, request)),
    testEndpoint: createPing(parts),
  }
}
