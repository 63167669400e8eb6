// The dispatch engine and the outbound client in a process of their own: so many new events a second for so long, signed and sent to the
// endpoints in turn, beside a number of retries that are overdue from the start. Needs the compiled packages (`npx tsc -b`).
import { setTimeout as delay } from 'node:timers/promises'
import { createOutbound, nodeHmac } from '@switchyard/outbound'
import { createDispatchEngine, DEFAULT_DISPATCH_LIMITS, deliveryHeaders, isDelivered } from '@switchyard/webhooks'

const { receivers, perSecond, durationMs, overdueCount, settleMs, timeoutMs } = JSON.parse(process.argv[2] ?? '{}')
const TICK_MS = 5
const SECRETS = ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=']
const epochMs = () => performance.timeOrigin + performance.now()

const urls = new Map(receivers.map(({ url }, index) => [`endpoint-${index}`, url]))
const settings = { concurrencyMax: 8, perSecondMax: null }
const engine = createDispatchEngine({ limits: DEFAULT_DISPATCH_LIMITS, endpointSettings: () => settings })
const outbound = createOutbound({ schemes: 'http_too', allowedRanges: ['127.0.0.0/8'] })
const counts = { offered: 0, refused: 0, delivered: 0, failed: 0 }

const bodyOf = ({ chainId, merchantId }) =>
  Buffer.from(
    JSON.stringify({
      merchant_id: merchantId,
      event_id: chainId,
      event_type: 'payment_succeeded',
      content: { type: 'payment_details', object: { payment_id: 'pay_77', status: 'succeeded', amount: 1250, currency: 'EUR' } },
      timestamp: '2026-01-05T10:00:00.000Z',
    }),
  )

const deliver = async (delivery) => {
  const { chainId, endpointId, lane, acceptedAtMs } = delivery
  const message = { chainId, atMs: Date.now(), body: bodyOf(delivery) }
  const customHeaders = { 'x-lane': lane, 'x-accepted-at': String(acceptedAtMs) }
  const headers = deliveryHeaders(nodeHmac, { message, customHeaders, secrets: SECRETS })
  const outcome = await outbound.send({ endpointId, url: urls.get(endpointId), headers, body: message.body, timeoutMs })
  counts[isDelivered(outcome) ? 'delivered' : 'failed'] += 1
  engine.ended(chainId, isDelivered(outcome) ? 'succeeded' : 'failed', epochMs())
  pump()
}

let alarm
const pump = () => {
  for (let delivery = engine.next(epochMs()); delivery !== undefined; delivery = engine.next(epochMs())) void deliver(delivery)
  clearTimeout(alarm)
  const wakeAtMs = engine.wakeAtMs()
  if (wakeAtMs !== undefined) alarm = setTimeout(pump, Math.max(1, wakeAtMs - epochMs()))
}

const offer = (lane, number) => {
  const index = number % receivers.length
  const names = { chainId: `evt_${lane}_${number}`, endpointId: `endpoint-${index}`, merchantId: `merchant-${index}` }
  const offered = engine.offer({ ...names, lane, acceptedAtMs: epochMs() })
  counts[offered === 'waits' ? 'offered' : 'refused'] += 1
}

for (let number = 0; number < overdueCount; number += 1) offer('retry', number)
const startedMs = performance.now()
for (let number = 0, passedMs = 0; passedMs < durationMs; passedMs = performance.now() - startedMs) {
  while (number < (passedMs / 1000) * perSecond) {
    offer('new', number)
    number += 1
  }
  pump()
  await delay(TICK_MS)
}
/** What is under way for healthy receivers ends by itself; what sick ones hold is not waited for. */
const isSettled = () => {
  const { waiting, underWay } = engine.figures()
  return waiting.new + waiting.retry + underWay.new + underWay.retry === 0
}
for (let waitedMs = 0; waitedMs < settleMs && !isSettled(); waitedMs += TICK_MS) await delay(TICK_MS)
process.send({ counts, figures: engine.figures(), cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6 })
process.on('disconnect', () => process.exit(0))
