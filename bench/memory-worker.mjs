// The task of the benchmark of memory in a process of its own: what windows of a length take. Needs --expose-gc.
import { createPaymentFold } from '@switchyard/routing'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { liveBytes } from './live-memory.mjs'
import { runTask } from './worker-task.mjs'

const MERCHANT = 'merchant'
const GATEWAYS = ['adyen', 'checkout', 'stripe', 'worldpay']
const START_AT = Date.UTC(2026, 0, 1)
/** After which no decision waits for an outcome any more. */
const FORGETTING_MS = 40 * 86_400_000

/** One outcome of a gateway in a dimension: by a card's first digits, which detection of downtime does not look at. */
const feed = (fold, { index, bucketSize, at }) => {
  const gateway = GATEWAYS[index % GATEWAYS.length]
  const { data } = sampleGatewayDecided()
  const cardIsIn = String(400_000 + Math.floor(index / GATEWAYS.length))
  const payment = { merchantId: MERCHANT, paymentId: `pay_${index}_${at}`, gateway }
  fold.apply(
    sampleGatewayDecided({
      ...payment,
      requestId: `d_${index}_${at}`,
      at,
      candidates: GATEWAYS,
      cardIsIn,
      dimension: { ...data.dimension, cardIsIn, version: 1 },
      knobs: { ...data.knobs, bucketSize },
    }),
  )
  fold.apply(sampleOutcomeRecorded({ ...payment, requestId: `o_${index}_${at}`, at: at + 1, statusClass: 'SUCCESS' }))
}

/** What a snapshot of a merchant with so many windows holds, when no decision waits for an outcome any more. */
const snapshotOf = (windowCount, bucketSize) => {
  const fold = createPaymentFold()
  for (let index = 0; index < windowCount; index += 1) feed(fold, { index, bucketSize, at: START_AT })
  // Payments of a window that is there, each of which forgets two decisions of so long ago: half as many each time.
  let at = START_AT
  for (let openCount = windowCount; openCount > 1; openCount = Math.ceil(openCount / 2)) {
    at += FORGETTING_MS
    for (let count = 0; count < openCount; count += 2) feed(fold, { index: 0, bucketSize, at: at + count })
  }
  return fold.exportMerchant(MERCHANT)
}

/** Bytes that a merchant with so many windows takes, as a start restores it: without what is kept for recent payments, which is bounded. */
const bytesOf = (windowCount, bucketSize) => {
  const snapshot = snapshotOf(windowCount, bucketSize)
  const before = liveBytes()
  const fold = createPaymentFold()
  fold.importMerchant(MERCHANT, snapshot)
  const bytes = liveBytes() - before
  if (fold.windowCountOf(MERCHANT) !== windowCount) throw new Error(`${fold.windowCountOf(MERCHANT)} of ${windowCount} windows are there`)
  return bytes
}

/** Bytes of a window beside what a merchant takes anyway: of the second half of them. */
const windows = ({ windowCount, bucketSize }) => {
  const half = windowCount / 2
  // The first restore compiles what the others use.
  bytesOf(half, bucketSize)
  return { bytes: (bytesOf(windowCount, bucketSize) - bytesOf(half, bucketSize)) / half }
}

await runTask({ windows })
