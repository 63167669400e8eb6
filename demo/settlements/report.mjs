import { adyenReport } from './reports/adyen.mjs'
import { braintreeReport } from './reports/braintree.mjs'
import { chaseReport } from './reports/chase.mjs'
import { checkoutReport } from './reports/checkout.mjs'
import { stripeReport } from './reports/stripe.mjs'

const CHUNK_CHARACTERS = 65_536

const WRITERS = { adyen: adyenReport, braintree: braintreeReport, chase: chaseReport, checkout: checkoutReport, stripe: stripeReport }

/** Connectors whose reports can be written, sorted. */
export const CONNECTORS = Object.keys(WRITERS)

/**
 * The settlement report of an account as chunks of text of some 64 KiB: never more than one of them is held.
 *
 * @param {import('./world.mjs').Account} account
 * @param {Iterable<import('./payments.mjs').SettledPayment>} payments
 */
export function* reportChunks(account, payments) {
  const writer = WRITERS[account.connector]
  if (writer === undefined) throw new Error(`there is no report of ${account.connector}: known are ${CONNECTORS.join(', ')}`)
  let chunk = ''
  for (const lines of writer(account, payments)) {
    chunk += lines
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
