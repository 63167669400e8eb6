// `node bench/routing-quality/change-test.mjs`: what one outcome costs in the fold, with and without adaptive windows, by
// the length of the window.
import { createPaymentFold } from '@switchyard/routing'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { tableLines } from '../../demo/report.mjs'

const BUCKET_SIZES = [125, 500, 2_000, 10_000]
const OUTCOME_COUNT = 20_000
const FAILURE_EVERY = 9
const REPEAT_COUNT = 3

const { knobs } = sampleGatewayDecided().data

/** Microseconds an outcome, without its decision; the window is full when the clock starts. */
const costOf = (bucketSize, adaptive) => {
  const fold = createPaymentFold()
  let elapsedMs = 0
  for (let index = 0; index < bucketSize + OUTCOME_COUNT; index++) {
    const paymentId = `pay_${index}`
    fold.apply(sampleGatewayDecided({ paymentId, requestId: paymentId, at: index, knobs: { ...knobs, bucketSize, adaptive } }))
    const status = index % FAILURE_EVERY === 0 ? 'FAILURE' : 'CHARGED'
    const outcome = sampleOutcomeRecorded({ paymentId, requestId: `${paymentId}:o`, at: index, status })
    const startMs = performance.now()
    fold.apply(outcome)
    if (index >= bucketSize) elapsedMs += performance.now() - startMs
  }
  return (elapsedMs / OUTCOME_COUNT) * 1_000
}

const best = (bucketSize, adaptive) => Math.min(...Array.from({ length: REPEAT_COUNT }, () => costOf(bucketSize, adaptive)))

const rows = BUCKET_SIZES.map((bucketSize) => {
  const [plain, adaptive] = [best(bucketSize, false), best(bucketSize, true)]
  const perEntryNs = ((adaptive - plain) / bucketSize) * 1_000
  return [String(bucketSize), `${plain.toFixed(2)} us`, `${adaptive.toFixed(2)} us`, `${perEntryNs.toFixed(1)} ns`]
})
for (const line of tableLines(['window', 'plain', 'adaptive', 'more, by entry'], rows)) process.stdout.write(`${line}\n`)
