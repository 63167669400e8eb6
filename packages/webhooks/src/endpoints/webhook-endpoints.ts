import type {
  EndpointDisabling,
  MerchantClosed,
  MerchantRegistered,
  WebhookEndpointConfigured,
  WebhookEndpointDisabled,
  WebhookEndpointEnabled,
  WebhookEndpointRemoved,
  WebhookEndpointSecretRotated,
} from '@switchyard/events'
import { accept, assertNever, type Decision, reject, type Slice } from '@switchyard/kernel'
import { ENDPOINTS_PER_MERCHANT_MAX, PREVIOUS_SECRET_COUNT_MAX } from '../limits.ts'

/** Encrypted with the merchant's data key, base64, and what it is recognised by. The same secret is never encrypted twice to the same text. */
export interface ProtectedSecret {
  readonly secret: string
  readonly hint: string
}

/** What a merchant sets; times in the unit of their names. */
export interface EndpointConfiguration {
  readonly url: string
  /** Encrypted, base64. */
  readonly customHeaders: string
  readonly customHeaderNames: readonly string[]
  /** Null: all. */
  readonly eventTypes: readonly string[] | null
  readonly isEnabled: boolean
  readonly timeoutSeconds: number
  readonly maxConcurrencyCount: number
  readonly maxPerSecondCount: number | null
  /** Null: the deployment's schedule. */
  readonly retryDelaysSeconds: readonly number[] | null
}

/** Sets, rotates, disables, enables or removes the endpoint of a profile; `at` is epoch milliseconds. */
export type EndpointsCommand = { readonly merchantId: string; readonly profileId: string; readonly at: number } & (
  | {
      readonly type: 'ConfigureEndpoint'
      readonly settings: EndpointConfiguration
      /** Null, or the current one as it stands, keeps the secrets there are; without any, the generated one is taken. */
      readonly chosen: ProtectedSecret | null
      readonly generated: ProtectedSecret
    }
  | { readonly type: 'RotateSecret'; readonly next: ProtectedSecret; readonly graceMs: number }
  | { readonly type: 'DisableEndpoint'; readonly reason: EndpointDisabling }
  | { readonly type: 'EnableEndpoint' }
  | { readonly type: 'RemoveEndpoint' }
)

/** What the state of a merchant's endpoints follows from. */
export type EndpointsEvent =
  | MerchantRegistered
  | MerchantClosed
  | WebhookEndpointConfigured
  | WebhookEndpointSecretRotated
  | WebhookEndpointDisabled
  | WebhookEndpointEnabled
  | WebhookEndpointRemoved

/** Why an endpoint is not changed. */
export type EndpointsRejection =
  | { readonly code: 'MERCHANT_NOT_FOUND'; readonly merchantId: string }
  | { readonly code: 'ENDPOINT_NOT_FOUND'; readonly profileId: string }
  | { readonly code: 'TOO_MANY_ENDPOINTS'; readonly limit: number }
  | { readonly code: 'TOO_MANY_SECRETS'; readonly limit: number }

/** Whether events are delivered, and who stopped it if they are not (webhooks.md 9.1). */
export type EndpointStatus = 'active' | 'disabled_by_merchant' | 'disabled_by_failures' | 'disabled_gone'

/** A secret and until when it signs, epoch milliseconds; null for the newest one. */
export interface EndpointSecret extends ProtectedSecret {
  readonly validUntil: number | null
}

/** Where and how a profile's events are delivered. Times are epoch milliseconds. */
export interface Endpoint extends Omit<EndpointConfiguration, 'isEnabled'> {
  readonly profileId: string
  /** Newest first. */
  readonly secrets: readonly EndpointSecret[]
  readonly status: EndpointStatus
  readonly disabledAt: number | null
  /** Since when it has been getting events; schedules that ended before are over. */
  readonly activeSince: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** The endpoints of one merchant, oldest first. */
export interface EndpointsState {
  readonly registered: boolean
  readonly endpoints: readonly Endpoint[]
}

const initialState: EndpointsState = { registered: false, endpoints: [] }

/** The endpoint of a profile. */
export const endpointOf = ({ endpoints }: EndpointsState, profileId: string): Endpoint | undefined =>
  endpoints.find((endpoint) => endpoint.profileId === profileId)

/** Those that sign at `at`, newest first. */
export const validSecrets = ({ secrets }: Endpoint, at: number): readonly EndpointSecret[] =>
  secrets.filter(({ validUntil }) => validUntil === null || validUntil > at)

/** The secret that an endpoint has now. */
const currentSecret = ({ secrets: [current] }: Endpoint): string | undefined => current?.secret

type Command<Type extends EndpointsCommand['type']> = Extract<EndpointsCommand, { readonly type: Type }>

/** What becomes the only secret; null keeps those there are, with the time that a rotation gave them. */
const replacementOf = (endpoint: Endpoint | undefined, { chosen, generated }: Command<'ConfigureEndpoint'>): ProtectedSecret | null => {
  if (endpoint === undefined) return chosen ?? generated
  return chosen?.secret === currentSecret(endpoint) ? null : chosen
}

const configure = (command: Command<'ConfigureEndpoint'>, state: EndpointsState): Decision<EndpointsEvent, EndpointsRejection> => {
  const { merchantId, profileId, at, settings } = command
  const endpoint = endpointOf(state, profileId)
  if (endpoint === undefined && state.endpoints.length >= ENDPOINTS_PER_MERCHANT_MAX)
    return reject({ code: 'TOO_MANY_ENDPOINTS', limit: ENDPOINTS_PER_MERCHANT_MAX })
  const next = replacementOf(endpoint, command)
  const secrets = { secret: next?.secret ?? null, secretHint: next?.hint ?? null }
  return accept({ type: 'WebhookEndpointConfigured', data: { merchantId, profileId, ...settings, ...secrets, at } })
}

const rotate = (
  { merchantId, profileId, at, next: { secret, hint }, graceMs }: Command<'RotateSecret'>,
  endpoint: Endpoint,
): Decision<EndpointsEvent, EndpointsRejection> => {
  // The same rotation comes again when its answer was lost: as its own predecessor the secret would take the place of the one before.
  if (secret === currentSecret(endpoint)) return accept()
  // An earlier secret that comes back is the newest again and no earlier one.
  const previous = validSecrets(endpoint, at).filter((one) => one.secret !== secret).length - 1
  if (previous + (graceMs > 0 ? 1 : 0) > PREVIOUS_SECRET_COUNT_MAX)
    return reject({ code: 'TOO_MANY_SECRETS', limit: PREVIOUS_SECRET_COUNT_MAX })
  const data = { merchantId, profileId, secret, secretHint: hint, previousValidUntilAt: at + graceMs, at }
  return accept({ type: 'WebhookEndpointSecretRotated', data })
}

const decideKnown = (
  command: Exclude<EndpointsCommand, { readonly type: 'ConfigureEndpoint' }>,
  endpoint: Endpoint,
): Decision<EndpointsEvent, EndpointsRejection> => {
  const { merchantId, profileId, at } = command
  const data = { merchantId, profileId, at }
  switch (command.type) {
    case 'RotateSecret':
      return rotate(command, endpoint)
    case 'DisableEndpoint':
      return endpoint.status === 'active'
        ? accept({ type: 'WebhookEndpointDisabled', data: { ...data, reason: command.reason } })
        : accept()
    case 'EnableEndpoint':
      // What the merchant has switched off stays off.
      return endpoint.status === 'active' || endpoint.status === 'disabled_by_merchant'
        ? accept()
        : accept({ type: 'WebhookEndpointEnabled', data })
    case 'RemoveEndpoint':
      return accept({ type: 'WebhookEndpointRemoved', data })
    default:
      return assertNever(command)
  }
}

type Configured = WebhookEndpointConfigured['data']

const secretsOf = (endpoint: Endpoint | undefined, { secret, secretHint }: Configured): readonly EndpointSecret[] =>
  secret === null ? (endpoint?.secrets ?? []) : [{ secret, hint: secretHint ?? '', validUntil: null }]

const disabledAtOf = (endpoint: Endpoint | undefined, { isEnabled, at }: Configured): number | null => {
  if (isEnabled) return null
  return endpoint?.status === 'disabled_by_merchant' ? endpoint.disabledAt : at
}

const configured = (endpoint: Endpoint | undefined, { data }: WebhookEndpointConfigured): Endpoint => {
  const { merchantId: _merchantId, secret: _secret, secretHint: _secretHint, isEnabled, at, ...settings } = data
  const wasActive = endpoint?.status === 'active'
  return {
    ...settings,
    secrets: secretsOf(endpoint, data),
    status: isEnabled ? 'active' : 'disabled_by_merchant',
    disabledAt: disabledAtOf(endpoint, data),
    activeSince: wasActive ? endpoint.activeSince : at,
    createdAt: endpoint?.createdAt ?? at,
    updatedAt: at,
  }
}

const rotated = (endpoint: Endpoint, { data }: WebhookEndpointSecretRotated): Endpoint => {
  const { secret, secretHint: hint, previousValidUntilAt, at } = data
  const others = endpoint.secrets.filter((old) => old.secret !== secret)
  const before = others.map((old) => ({ ...old, validUntil: old.validUntil ?? previousValidUntilAt }))
  const secrets = [{ secret, hint, validUntil: null }, ...before.filter(({ validUntil }) => validUntil > at)]
  return { ...endpoint, secrets, updatedAt: at }
}

const disabled = (endpoint: Endpoint, { data }: WebhookEndpointDisabled): Endpoint => ({
  ...endpoint,
  status: data.reason === 'GONE' ? 'disabled_gone' : 'disabled_by_failures',
  disabledAt: data.at,
  updatedAt: data.at,
})

/** The endpoint after an event about it; undefined when it is gone. */
const evolved = (
  endpoint: Endpoint | undefined,
  event: Exclude<EndpointsEvent, MerchantRegistered | MerchantClosed>,
): Endpoint | undefined => {
  if (event.type === 'WebhookEndpointConfigured') return configured(endpoint, event)
  if (endpoint === undefined) return undefined
  switch (event.type) {
    case 'WebhookEndpointSecretRotated':
      return rotated(endpoint, event)
    case 'WebhookEndpointDisabled':
      return disabled(endpoint, event)
    case 'WebhookEndpointEnabled':
      return { ...endpoint, status: 'active', disabledAt: null, activeSince: event.data.at, updatedAt: event.data.at }
    case 'WebhookEndpointRemoved':
      return undefined
    default:
      return assertNever(event)
  }
}

const replaced = (endpoints: readonly Endpoint[], profileId: string, next: Endpoint | undefined): readonly Endpoint[] => {
  const index = endpoints.findIndex((endpoint) => endpoint.profileId === profileId)
  const added = next === undefined ? [] : [next]
  return index === -1 ? [...endpoints, ...added] : [...endpoints.slice(0, index), ...added, ...endpoints.slice(index + 1)]
}

/** Endpoints of a merchant's profiles (webhooks.md 9.1), one each. They go with their merchant. Key: merchant id. */
export const webhookEndpoints: Slice<EndpointsCommand, EndpointsState, EndpointsEvent, EndpointsRejection> = {
  name: 'webhook-endpoints',
  version: 1,
  folds: [
    'MerchantRegistered',
    'MerchantClosed',
    'WebhookEndpointConfigured',
    'WebhookEndpointSecretRotated',
    'WebhookEndpointDisabled',
    'WebhookEndpointEnabled',
    'WebhookEndpointRemoved',
  ],
  conflicts: 'by-version',
  initialState,

  decide: (command, state) => {
    const { merchantId, profileId } = command
    if (!state.registered) return reject({ code: 'MERCHANT_NOT_FOUND', merchantId })
    if (command.type === 'ConfigureEndpoint') return configure(command, state)
    const endpoint = endpointOf(state, profileId)
    return endpoint === undefined ? reject({ code: 'ENDPOINT_NOT_FOUND', profileId }) : decideKnown(command, endpoint)
  },

  evolve: (state, event) => {
    if (event.type === 'MerchantRegistered') return { registered: true, endpoints: [] }
    if (event.type === 'MerchantClosed') return initialState
    // What was decided while the merchant was being closed has no effect, neither then nor on one that comes back under its id.
    if (!state.registered) return state
    const { profileId } = event.data
    return { ...state, endpoints: replaced(state.endpoints, profileId, evolved(endpointOf(state, profileId), event)) }
  },
}
