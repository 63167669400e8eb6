import { setTimeout as delay } from 'node:timers/promises'
import { decisionRequest, outcomeRequest } from './merchant.mjs'

/** The longest time between a decision and the report of its outcome. */
const OUTCOME_DELAY_MAX_MS = 20
/** Tries of one request before the payment is given up. */
const ATTEMPT_COUNT_MAX = 3
const RETRY_DELAY_MS = 100
/** A run that loses more payments than this says nothing and is broken off. */
const LOST_PAYMENT_COUNT_MAX = 100

const isRetryable = (error) => error.status === null || error.status >= 500

const withRetries = async (call) => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (attempt === ATTEMPT_COUNT_MAX || !isRetryable(error)) throw error
      await delay(RETRY_DELAY_MS * attempt)
    }
  }
}

/**
 * Sends every payment of the market through the router: asks, pays, reports. At most `concurrency` payments are under way.
 * Gives the latencies of the decisions in milliseconds and how many payments were lost.
 */
export const drive = async ({ client, merchant, market, ledger, concurrency, onProgress }) => {
  const { merchantId, headers } = merchant
  const latencies = new Float64Array(market.paymentCount)
  let next = 0
  let doneCount = 0
  let lostCount = 0
  let approvedCount = 0

  const pay = async (payment) => {
    const startedAt = performance.now()
    const decision = await withRetries(() => client.post('/decide-gateway', { headers, body: decisionRequest(merchantId, payment) }))
    latencies[payment.index] = performance.now() - startedAt
    const gateway = decision.decided_gateway
    const isApproved = market.isApproved(gateway, payment)
    const latencyMs = Math.round(payment.delay * OUTCOME_DELAY_MAX_MS)
    await delay(latencyMs)
    await withRetries(() =>
      client.post('/update-gateway-score', { headers, body: outcomeRequest(merchantId, { gateway, payment, isApproved, latencyMs }) }),
    )
    const explored = decision.routing_approach.includes('HEDGING')
    ledger.record(payment.index, { gateway, isApproved, explored, scoreOf: decision.gateway_priority_map })
    if (isApproved) approvedCount += 1
  }

  const work = async () => {
    while (next < market.paymentCount) {
      const payment = market.paymentAt(next)
      next += 1
      try {
        await pay(payment)
      } catch (error) {
        lostCount += 1
        if (lostCount > LOST_PAYMENT_COUNT_MAX) throw error
      }
      doneCount += 1
      onProgress({ doneCount, approvedCount })
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work))
  return { lostCount, latenciesMs: [...latencies].filter((latency) => latency > 0) }
}
