import { describe, expect, test } from '@jest/globals'
import { SHIPPED_SCORING_DEFAULTS } from '@switchyard/routing'
import type { HandleCommand } from '@switchyard/runtime'
import { decisionBody, outcomeBody, sampleService } from '../sample-service.fixture.ts'

const PATH = '/gateway-score/reset'
const entry = { paymentMethodType: 'CARD', source: 'autopilot' }
const scoring = (...entries: readonly object[]) => ({
  'success-rate-scoring': { registered: true, settings: { ...SHIPPED_SCORING_DEFAULTS.settings, subLevelInputConfig: entries } },
})

/** Takes every command; nothing is folded. */
const takesAll: HandleCommand = async (slice) => ({ accepted: true, state: slice.initialState, position: undefined })

describe('POST /gateway-score/reset', () => {
  test('counts two keys a window and the entries of the self-tuning job, and records the reset', async () => {
    const service = sampleService({ slices: scoring(entry, { ...entry, source: null }, entry), handle: takesAll })
    await service.call('/decide-gateway', decisionBody())
    await service.call('/update-gateway-score', outcomeBody())
    for (const event of service.recorded) service.fold.apply(event)
    expect(await service.call(PATH, { merchant_id: 'm_9' })).toEqual({
      status: 200,
      body: { merchant_id: 'm_9', deleted_keys: 2, removed_overrides: 2 },
      headers: { 'x-log-position': 'payments-2-2' },
    })
    expect(service.recorded.at(-1)).toEqual({
      type: 'GatewayScoresReset',
      data: { merchantId: 'm_9', requestId: 'r_1', at: 1_000, cause: 'REQUESTED', merchantRegistrationCount: 0 },
    })
  })

  test('entries that could not be removed count as none: the scores are reset all the same', async () => {
    const service = sampleService({ slices: scoring(entry) })
    expect(await service.call(PATH, { merchant_id: 'm_9' })).toMatchObject({ status: 200, body: { removed_overrides: 0 } })
    expect(service.recorded).toMatchObject([{ type: 'GatewayScoresReset' }])
  })

  test('nothing is recorded of a merchant that does not exist', async () => {
    const service = sampleService()
    expect(await service.call(PATH, { merchantId: 'm_9' })).toMatchObject({ body: { deleted_keys: 0, removed_overrides: 0 } })
    expect(service.recorded).toEqual([])
  })

  test('a merchant that got the id while the reset waited keeps its scores and the entries of the self-tuning job', async () => {
    const life = (registrationCount: number) => ({ ...scoring(entry), merchants: { registered: true, registrationCount } })
    const commands: unknown[] = []
    const handle: HandleCommand = (slice, request) => {
      commands.push(request.command)
      return takesAll(slice, request)
    }
    const service = sampleService({ slices: life(1), later: life(2), handle })
    const body = { merchant_id: 'm_9', deleted_keys: 0, removed_overrides: 0 }
    expect(await service.call(PATH, { merchant_id: 'm_9' })).toMatchObject({ status: 200, body })
    expect([service.recorded, commands]).toEqual([[], []])
  })

  test('a key of an earlier merchant of the id resets nothing of the next one that this process had not heard of; the admin does', async () => {
    const life = (registrationCount: number) => ({ ...scoring(entry), merchants: { registered: true, registrationCount } })
    const lives = { slices: life(1), indexed: life(2), handle: takesAll }
    const service = sampleService(lives)
    expect(await service.call(PATH, { merchant_id: 'm_9' })).toMatchObject({ body: { deleted_keys: 0, removed_overrides: 0 } })
    expect(service.recorded).toEqual([])
    for (const identity of [{ kind: 'admin' }, { kind: 'key', keyId: 'k_1', merchantId: 'm_9', admin: true }] as const) {
      const opened = sampleService({ ...lives, identity })
      expect(await opened.call(PATH, { merchant_id: 'm_9' })).toMatchObject({ body: { removed_overrides: 1 } })
      expect(opened.recorded).toMatchObject([{ data: { merchantRegistrationCount: 2 } }])
    }
    const young = sampleService({ ...lives, slices: {}, indexed: life(1) })
    expect(await young.call(PATH, { merchant_id: 'm_9' })).toMatchObject({ body: { removed_overrides: 1 } })
  })
})
