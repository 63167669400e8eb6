// `npm run demo`: simulated payments through a real server, and what the router made of them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { drive } from './drive.mjs'
import { createHttpClient } from './http-client.mjs'
import { createLedger } from './ledger.mjs'
import { createMarket, METHODS } from './market.mjs'
import { createMerchant, SCORING } from './merchant.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { drawPicture } from './picture.mjs'
import { createProgress } from './progress.mjs'
import { reportText } from './report.mjs'
import { runDemo, say } from './run-demo.mjs'
import { scoreSeries, shareSeries } from './series.mjs'
import { summarise } from './summary.mjs'

/** The method whose scores the picture shows: the one with the most traffic. */
const SHOWN_METHOD = METHODS[0]
const SHARE_BUCKET_COUNT = 40
const SCORE_BUCKET_COUNT = 100

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const latencyLine = (latenciesMs) => {
  const sorted = latenciesMs.sort((one, other) => one - other)
  return `Decisions as this process saw them: median ${quantile(sorted, 0.5).toFixed(1)} ms, 99th percentile ${quantile(sorted, 0.99).toFixed(1)} ms.`
}

const subtitleOf = ({ comparison }) => `approved: ${comparison.map(({ name, rate }) => `${name} ${(rate * 100).toFixed(1)} %`).join(', ')}`

const writePicture = (file, { market, ledger, summary }) => {
  const { paymentCount } = market
  const shareBucketSize = Math.ceil(paymentCount / SHARE_BUCKET_COUNT)
  const path = resolve(file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    drawPicture({
      paymentCount,
      subtitle: subtitleOf(summary),
      scoreTitle: `Score of each gateway, ${SHOWN_METHOD.label}`,
      scores: scoreSeries(market, ledger, { methodKey: SHOWN_METHOD.key, bucketSize: Math.ceil(paymentCount / SCORE_BUCKET_COUNT) }),
      shares: shareSeries(ledger, shareBucketSize),
    }),
  )
  return path
}

const simulate = async (url, { paymentCount, seed, concurrency, out }) => {
  const client = createHttpClient({ url, connectionCountMax: concurrency })
  try {
    const merchant = await createMerchant(client, process.env.SWITCHYARD_ADMIN_SECRET ?? 'test_admin')
    say(`Merchant ${merchant.merchantId}: success-rate routing, window ${SCORING.bucketSize}, exploration ${SCORING.hedgingPercent} %.`)
    const market = createMarket({ seed, paymentCount })
    const ledger = createLedger(paymentCount)
    const progress = createProgress({ total: paymentCount, out: process.stdout, now: () => performance.now() })
    const onProgress = ({ doneCount, approvedCount }) =>
      progress.update(doneCount, `approved ${((approvedCount / doneCount) * 100).toFixed(1)} %`)
    const { latenciesMs } = await drive({ client, merchant, market, ledger, concurrency, onProgress })
    const summary = summarise(market, ledger)
    say(reportText(summary))
    say(latencyLine(latenciesMs))
    say(`Picture: ${writePicture(out, { market, ledger, summary })}`)
  } finally {
    client.close()
  }
}

await runDemo({ parse: parseOptions, usage: USAGE, show: simulate })
