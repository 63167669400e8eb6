import { createHash } from 'node:crypto'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'

/** Who stands in the log that a point of a curve is measured on. */

const START_AT = Date.UTC(2026, 0, 1)
/** Outcomes of every gateway in every dimension; they differ by gateway, so that scores do. */
const OUTCOMES_PER_WINDOW = 2

export const merchantName = (index) => `merchant_${index}`
export const apiKeyOf = (index) => `DE_bench_key_${index}`
export const gatewayNames = (count) => Array.from({ length: count }, (_, index) => `gateway_${index}`)
/** Kinds of payments, each with windows of its own. */
export const methodName = (index) => `METHOD_${index}`

/**
 * Registrations and API keys.
 *
 * @param {{ readonly merchants: number }} population
 */
export function* configEvents({ merchants }) {
  for (let index = 0; index < merchants; index += 1) {
    const merchantId = merchantName(index)
    const key = apiKeyOf(index)
    yield { type: 'MerchantRegistered', data: { merchantId, deciderInput: null, name: null, at: START_AT } }
    yield {
      type: 'ApiKeyIssued',
      data: {
        merchantId,
        keyId: `key_${index}`,
        keyHash: createHash('sha256').update(key).digest('hex'),
        keyPrefix: key.slice(0, 8),
        description: null,
        expiresAt: null,
        at: START_AT,
      },
    }
  }
}

/**
 * Decisions and outcomes: some of every gateway, in every dimension of every merchant.
 *
 * @param {{ readonly merchants: number, readonly gateways: number, readonly dimensions: number }} population
 */
export function* paymentEvents({ merchants, gateways, dimensions }) {
  const candidates = gatewayNames(gateways)
  const { data } = sampleGatewayDecided()
  let number = 0
  for (let index = 0; index < merchants * dimensions * gateways * OUTCOMES_PER_WINDOW; index += 1) {
    const merchantId = merchantName(index % merchants)
    const round = Math.floor(index / merchants)
    const gateway = candidates[round % gateways]
    const paymentMethod = methodName(Math.floor(round / gateways) % dimensions)
    const isFailure = round % gateways < gateways / 2 && round >= gateways * dimensions
    number += 1
    const payment = { merchantId, paymentId: `old_${number}`, gateway }
    const at = START_AT + number
    yield sampleGatewayDecided({
      ...payment,
      requestId: `d_${number}`,
      at,
      candidates,
      scores: candidates.map(() => 1),
      fallbacks: candidates.filter((other) => other !== gateway),
      paymentMethod,
      dimension: { ...data.dimension, paymentMethod },
    })
    yield sampleOutcomeRecorded({
      ...payment,
      requestId: `o_${number}`,
      at: at + 1,
      status: isFailure ? 'AUTHORIZATION_FAILED' : 'CHARGED',
      statusClass: isFailure ? 'FAILURE' : 'SUCCESS',
    })
  }
}
