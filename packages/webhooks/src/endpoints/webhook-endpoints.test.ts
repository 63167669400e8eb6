import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { ENDPOINTS_PER_MERCHANT_MAX } from '../limits.ts'
import { type EndpointsEvent, endpointOf, validSecrets, webhookEndpoints } from './webhook-endpoints.ts'

const given = specificationOf(webhookEndpoints)
const place = { merchantId: 'm1', profileId: 'p1' }
const registered: EndpointsEvent = { type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: 1 } }
const settings = {
  url: 'https://shop.example/hook',
  customHeaders: 'sealed',
  customHeaderNames: ['x-shop'],
  eventTypes: null,
  isEnabled: true,
  timeoutSeconds: 15,
  maxConcurrencyCount: 8,
  maxPerSecondCount: null,
  retryDelaysSeconds: null,
}
const secret = (name: string) => ({ secret: `sealed ${name}`, hint: `…${name}` })
const configure = { type: 'ConfigureEndpoint', ...place, at: 10, settings, chosen: null, generated: secret('new') } as const
const configured = (change: object = {}, kept: string | null = 'new'): EndpointsEvent => ({
  type: 'WebhookEndpointConfigured',
  data: {
    ...place,
    ...settings,
    secret: kept === null ? null : `sealed ${kept}`,
    secretHint: kept === null ? null : `…${kept}`,
    at: 10,
    ...change,
  },
})
const rotated = (name: string, previousValidUntilAt: number, at: number): EndpointsEvent => ({
  type: 'WebhookEndpointSecretRotated',
  data: { ...place, secret: `sealed ${name}`, secretHint: `…${name}`, previousValidUntilAt, at },
})
const disabled = (reason: 'FAILURES' | 'GONE', at = 20): EndpointsEvent => ({
  type: 'WebhookEndpointDisabled',
  data: { ...place, reason, at },
})
const endpointAfter = (...events: readonly EndpointsEvent[]) =>
  endpointOf(events.reduce(webhookEndpoints.evolve, webhookEndpoints.initialState), 'p1')

describe('configuring an endpoint', () => {
  test('the first time without a secret takes the generated one', () => {
    given(registered).when(configure).emits(configured())
  })
  test('again without a secret keeps the secrets', () => {
    given(registered, configured()).when(configure).emits(configured({}, null))
    expect(endpointAfter(registered, configured(), configured({}, null))?.secrets).toEqual([{ ...secret('new'), validUntil: null }])
  })
  test('with a secret takes it at once', () => {
    given(registered, configured())
      .when({ ...configure, chosen: secret('own') })
      .emits(configured({}, 'own'))
    expect(endpointAfter(registered, configured(), configured({}, 'own'))?.secrets).toEqual([{ ...secret('own'), validUntil: null }])
  })
  test('with the secret that it has changes nothing of a rotation that is under way', () => {
    given(registered, configured(), rotated('two', 1_500, 1_000))
      .when({ ...configure, chosen: secret('two') })
      .emits(configured({}, null))
  })
  test('with a secret from before the rotation takes that one at once', () => {
    given(registered, configured(), rotated('two', 1_500, 1_000))
      .when({ ...configure, chosen: secret('new') })
      .emits(configured())
  })
  test('is refused without a merchant, and beyond the number of profiles', () => {
    given().when(configure).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
    const many = Array.from({ length: ENDPOINTS_PER_MERCHANT_MAX }, (_, index) => configured({ profileId: `other_${index}` }))
    given(registered, ...many)
      .when(configure)
      .isRejectedWith({ code: 'TOO_MANY_ENDPOINTS', limit: ENDPOINTS_PER_MERCHANT_MAX })
  })
  test('enables an endpoint that was disabled; its time begins anew', () => {
    const endpoint = endpointAfter(registered, configured(), disabled('GONE'), configured({ at: 30 }, null))
    expect(endpoint).toMatchObject({ status: 'active', disabledAt: null, activeSince: 30, createdAt: 10, updatedAt: 30 })
  })
  test('an active one stays active since then', () => {
    expect(endpointAfter(registered, configured(), configured({ at: 30 }, null))?.activeSince).toBe(10)
  })
  test('disabled by its merchant', () => {
    expect(endpointAfter(registered, configured(), configured({ isEnabled: false, at: 30 }, null))).toMatchObject({
      status: 'disabled_by_merchant',
      disabledAt: 30,
    })
  })
})

describe('rotating the secret', () => {
  const rotate = { type: 'RotateSecret', ...place, at: 1_000, next: secret('two'), graceMs: 500 } as const
  test('lets the one before sign for the grace period', () => {
    given(registered, configured())
      .when(rotate)
      .emits(rotated('two', 1_500, 1_000))
    const endpoint = endpointAfter(registered, configured(), rotated('two', 1_500, 1_000))
    expect(endpoint && validSecrets(endpoint, 1_499).map(({ hint }) => hint)).toEqual(['…two', '…new'])
    expect(endpoint && validSecrets(endpoint, 1_500).map(({ hint }) => hint)).toEqual(['…two'])
  })
  test('is refused while two earlier ones are valid, and possible when one has expired', () => {
    const past = [registered, configured(), rotated('two', 1_500, 1_000), rotated('three', 3_000, 1_100)]
    given(...past)
      .when({ ...rotate, at: 1_400, next: secret('four') })
      .isRejectedWith({ code: 'TOO_MANY_SECRETS', limit: 2 })
    given(...past)
      .when({ ...rotate, at: 1_500, next: secret('four') })
      .emits(rotated('four', 2_000, 1_500))
  })
  test('back to an earlier secret that is valid counted it twice', () => {
    const past = [registered, configured(), rotated('two', 1_500, 1_000), rotated('three', 3_000, 1_100)]
    given(...past)
      .when({ ...rotate, at: 1_200 })
      .emits(rotated('two', 1_700, 1_200))
    const endpoint = endpointAfter(...past, rotated('two', 1_700, 1_200))
    expect(endpoint && validSecrets(endpoint, 1_200).map(({ hint }) => hint)).toEqual(['…two', '…three', '…new'])
  })
  test('to the secret that it has changes nothing: the one before goes on as its rotation said', () => {
    const past = [registered, configured(), rotated('two', 1_500, 1_000)]
    given(...past)
      .when({ ...rotate, at: 1_100 })
      .emitsNothing()
    given(...past, rotated('three', 3_000, 1_100))
      .when({ ...rotate, at: 1_200, next: secret('three') })
      .emitsNothing()
  })
  test('without grace ends the one before', () => {
    const endpoint = endpointAfter(registered, configured(), rotated('two', 1_000, 1_000))
    expect(endpoint?.secrets.map(({ hint }) => hint)).toEqual(['…two'])
  })
})

describe('disabling and enabling', () => {
  const disable = { type: 'DisableEndpoint', ...place, reason: 'FAILURES', at: 20 } as const
  const enable = { type: 'EnableEndpoint', ...place, at: 30 } as const
  test('an active one is disabled once', () => {
    given(registered, configured()).when(disable).emits(disabled('FAILURES'))
    given(registered, configured(), disabled('GONE')).when(disable).emitsNothing()
  })
  test('a success by hand enables what the system disabled, not what the merchant switched off', () => {
    given(registered, configured(), disabled('GONE'))
      .when(enable)
      .emits({ type: 'WebhookEndpointEnabled', data: { ...place, at: 30 } })
    given(registered, configured({ isEnabled: false }))
      .when(enable)
      .emitsNothing()
  })
  test('an endpoint that is not there', () => {
    given(registered).when(disable).isRejectedWith({ code: 'ENDPOINT_NOT_FOUND', profileId: 'p1' })
  })
})

describe('the end of an endpoint', () => {
  test('removed, nothing is left of it', () => {
    expect(endpointAfter(registered, configured(), { type: 'WebhookEndpointRemoved', data: { ...place, at: 40 } })).toBeUndefined()
  })
  test('goes with its merchant, and does not come back with its id', () => {
    const closed: EndpointsEvent = { type: 'MerchantClosed', data: { merchantId: 'm1', at: 50 } }
    expect(endpointAfter(registered, configured(), closed, configured())).toBeUndefined()
    expect(endpointAfter(registered, configured(), closed, registered)).toBeUndefined()
  })
})
