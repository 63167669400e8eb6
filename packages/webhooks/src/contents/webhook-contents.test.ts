import { expect, test } from '@jest/globals'
import type { WebhooksEvent } from '@switchyard/events'
import { accepted, chainId, finished, merchantId, started, T0 } from '../chains/sample-chain.fixture.ts'
import { type StoredAttempt, webhookAttempts } from './webhook-contents.ts'

const key = [merchantId, chainId]
const after = (...events: readonly WebhooksEvent[]): StoredAttempt =>
  events.reduce(
    (view: StoredAttempt, event, offset) =>
      webhookAttempts.project(
        view,
        { event, effects: { expectedVersion: undefined }, position: { partition: 0, offset }, eventId: `e${offset}` },
        key,
      ),
    webhookAttempts.initialView(key),
  )
const claim = (byte: number, at: number): WebhooksEvent => {
  const { type, data } = started(chainId, 'INITIAL', at)
  return { type, data: { ...data, claimId: `c${byte}`, request: new Uint8Array([byte]) } }
}

test('of an initial attempt that two replicas claimed the request that was sent is kept, not that of who came too late', () => {
  expect(after(accepted(), claim(1, T0), claim(2, T0 + 1_000)).request).toEqual(new Uint8Array([1]))
  expect(after(accepted(), claim(1, T0), finished(chainId, T0 + 5, 200, null), claim(2, T0 + 1_000))).toMatchObject({
    request: new Uint8Array([1]),
    at: T0 + 5,
  })
})
