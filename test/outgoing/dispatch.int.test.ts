import { afterEach, describe, expect, test } from '@jest/globals'
import { createOutbound, nodeHmac, type Outbound } from '@switchyard/outbound'
import { createDispatchEngine, DEFAULT_DISPATCH_LIMITS, type Delivery, deliveryHeaders, isDelivered } from '@switchyard/webhooks'
import { alternating, checkingSignatures, failingFirst, resetting, silent } from '../support/receivers/behaviours.ts'
import { type Behaviour, type Receiver, startReceiver } from '../support/receivers/receiver.ts'

const OLD_SECRET = 'whsec_HxAREhMUFRYXGBkaGxwdHh8AAQIDBAUGBwgJCgsMDQ4='
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const started = async (behaviour: Behaviour): Promise<Receiver> => {
  const receiver = await startReceiver(behaviour)
  stops.push(receiver.stop)
  return receiver
}

const outboundToHere = (): Outbound => {
  const outbound = createOutbound({ schemes: 'http_too', allowedRanges: ['127.0.0.0/8'] })
  stops.push(outbound.close)
  return outbound
}

/** Sends `eventCount` events to each receiver by engine and client; what fails is offered again as a retry, so many times. */
const dispatchAll = async (
  receivers: Readonly<Record<string, Receiver>>,
  {
    eventCount,
    retryCountMax,
    timeoutsMs = {},
  }: { readonly eventCount: number; readonly retryCountMax: number; readonly timeoutsMs?: Readonly<Record<string, number>> },
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const outbound = outboundToHere()
  const engine = createDispatchEngine<Delivery>({
    limits: { ...DEFAULT_DISPATCH_LIMITS, breaker: { ...DEFAULT_DISPATCH_LIMITS.breaker, callCountMin: 1_000 } },
    endpointSettings: () => ({ concurrencyMax: 4, perSecondMax: null }),
  })
  /** Kinds of the outcomes of each chain. */
  const outcomes = new Map<string, string[]>()
  const attempts = new Set<Promise<void>>()

  const attempt = async ({ chainId, endpointId, merchantId }: Delivery): Promise<void> => {
    const message = { chainId, atMs: Date.now(), body: Buffer.from(JSON.stringify({ event_id: chainId, text: 'é' })) }
    const headers = deliveryHeaders(nodeHmac, { message, customHeaders: {}, secrets: [SECRET, OLD_SECRET] })
    const url = receivers[endpointId]?.url ?? ''
    const outcome = await outbound.send({ endpointId, url, headers, body: message.body, timeoutMs: timeoutsMs[endpointId] ?? 20_000 })
    const past = outcomes.get(chainId) ?? []
    outcomes.set(chainId, [...past, outcome.kind === 'answered' ? String(outcome.status) : outcome.kind])
    engine.ended(chainId, isDelivered(outcome) ? 'succeeded' : 'failed', Date.now())
    if (!isDelivered(outcome) && past.length < retryCountMax) engine.offer({ chainId, endpointId, merchantId, lane: 'retry' })
    pump()
  }
  const pump = (): void => {
    for (let delivery = engine.next(Date.now()); delivery !== undefined; delivery = engine.next(Date.now())) {
      const running: Promise<void> = attempt(delivery).finally(() => attempts.delete(running))
      attempts.add(running)
    }
  }

  for (let index = 0; index < eventCount; index++) {
    for (const endpointId of Object.keys(receivers)) {
      engine.offer({ chainId: `evt_${endpointId}_${index}`, endpointId, merchantId: endpointId, lane: 'new' })
    }
  }
  pump()
  while (attempts.size > 0) await Promise.race(attempts)
  return outcomes
}

describe('events on their way to receivers', () => {
  test('each arrives once, its signatures are valid under the new secret and under the one before', async () => {
    const checking = { current: checkingSignatures(nodeHmac, SECRET, Date.now), former: checkingSignatures(nodeHmac, OLD_SECRET, Date.now) }
    const receivers = { current: await started(checking.current.behaviour), former: await started(checking.former.behaviour) }
    await dispatchAll(receivers, { eventCount: 100, retryCountMax: 0 })
    for (const { seen } of Object.values(checking)) {
      expect(seen.faults).toEqual([])
      expect(seen.countById.size).toBe(100)
      expect([...seen.countById.values()].every((count) => count === 1)).toBe(true)
    }
  })

  test('retries carry the same body under the same id, signed anew', async () => {
    const { behaviour, seen } = checkingSignatures(nodeHmac, SECRET, Date.now)
    const moody: Behaviour = (request, response, index) => {
      if (index % 2 === 0) behaviour(request, response, index)
      else alternating(request, response, index)
    }
    const receivers = { moody: await started(moody) }
    const outcomes = await dispatchAll(receivers, { eventCount: 50, retryCountMax: 50 })
    expect(seen.faults).toEqual([])
    expect([...outcomes.values()].every((kinds) => kinds.at(-1) === '200')).toBe(true)
    const bodies = new Map(receivers.moody.requests.map(({ headers, body }) => [headers['webhook-id'], body]))
    expect(receivers.moody.requests.every(({ headers, body }) => bodies.get(headers['webhook-id']) === body)).toBe(true)
  })

  test('receivers that fail, break off or never answer keep nothing from the others', async () => {
    const { behaviour, seen } = checkingSignatures(nodeHmac, SECRET, Date.now)
    const receivers = {
      well: await started(behaviour),
      failing: await started(failingFirst(1_000)),
      resetting: await started(resetting),
      silent: await started(silent),
    }
    const outcomes = await dispatchAll(receivers, { eventCount: 20, retryCountMax: 1, timeoutsMs: { silent: 100 } })
    expect(seen.countById.size).toBe(20)
    const kinds = (endpointId: string): ReadonlySet<string> =>
      new Set([...outcomes].filter(([chainId]) => chainId.includes(endpointId)).map(([, each]) => each.join()))
    expect(kinds('failing')).toEqual(new Set(['500,500']))
    expect(kinds('resetting')).toEqual(new Set(['connection_reset,connection_reset']))
    expect(kinds('silent')).toEqual(new Set(['timeout,timeout']))
  })
})
