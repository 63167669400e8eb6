import { expect, test } from '@jest/globals'
import { decided, inLog, projected, recorded } from '../sample-records.fixture.ts'
import { paymentTimelines } from './payment-timelines.ts'

/** What MongoDB takes. */
const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024
/** The longest name of a gateway, of characters that take three bytes each. */
const name = (number: number): string => String(number).padEnd(64, '電')

test('a payment decided again and again between many gateways with long names outgrew the document of its store, and the projector ended', () => {
  const candidates = Array.from({ length: 100 }, (_, number) => name(number))
  const [gateway = '', ...fallbacks] = candidates
  const { knobs } = decided('pay_1', 0).data
  const extraScores = Array.from({ length: 200 }, (_, number) => ({ gatewayName: name(number), gatewaySigmaFactor: 0.25 }))
  const choice = { candidates, scores: candidates.map(() => 0.5), gateway, fallbacks, down: fallbacks, knobs: { ...knobs, extraScores } }
  const records = Array.from({ length: 200 }, (_, at) => recorded(decided('pay_1', at, { ...choice, requestId: `decide-${at}` })))
  const [timeline] = projected(paymentTimelines, inLog(records))
  expect(timeline?.view.eventCount).toBe(200)
  expect(timeline?.view.entries.at(-1)).toMatchObject({ at: 199, gateway })
  expect(timeline?.view.entries.length).toBeGreaterThan(20)
  expect(Buffer.byteLength(JSON.stringify(timeline?.view))).toBeLessThan(DOCUMENT_BYTES_MAX / 4)
})
