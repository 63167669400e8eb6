// `npm run demo:costs`: settlement reports of five connectors are generated, uploaded and learned from; then decisions weigh cost.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createHttpClient } from '../http-client.mjs'
import { createProgress } from '../progress.mjs'
import { runDemo, say } from '../run-demo.mjs'
import { settledPayments } from '../settlements/payments.mjs'
import { reportChunks } from '../settlements/report.mjs'
import { createCostMerchant, MARGIN } from './cost-merchant.mjs'
import { parseCostOptions, USAGE } from './cost-options.mjs'
import { pay, savingsOf } from './decisions.mjs'
import { drawFees } from './fee-picture.mjs'
import { createScene } from './scene.mjs'
import { coverageTable, savingsTable } from './tables.mjs'

const CONNECTION_COUNT_MAX = 16
const REPORT_DAYS = 60
const MS_PER_DAY = 86_400_000
/** One price of each shape, of the first connector. */
const SHOWN_SHAPES = ['linear', 'capped', 'tiered']
const SHOWN_PAYMENT_COUNT = 200

const progressOf = (total) => createProgress({ total, out: process.stdout, now: () => performance.now() })

/** The payments of an account's report; the last day is yesterday. */
const paymentsOf = (account, { paymentCount, seed }, count = paymentCount) =>
  settledPayments({
    seed,
    account,
    count,
    firstDay: new Date(Date.now() - REPORT_DAYS * MS_PER_DAY).toISOString().slice(0, 10),
    dayCount: REPORT_DAYS,
    events: { refund: 0.03, chargeback: 0.002 },
  })

function* counted(payments, onEach) {
  for (const payment of payments) {
    yield payment
    onEach()
  }
}

const sendReports = async (merchant, { accounts }, options) => {
  say(`Uploading the reports of ${accounts.length} connectors, ${options.paymentCount.toLocaleString('en')} settled payments each:`)
  const progress = progressOf(accounts.length * options.paymentCount)
  const ids = []
  let sentCount = 0
  for (const account of accounts) {
    const payments = counted(paymentsOf(account, options), () => {
      sentCount += 1
      if (sentCount % 1_000 === 0) progress.update(sentCount, account.connector)
    })
    ids.push(await merchant.upload(account, reportChunks(account, payments)))
  }
  return ids
}

/** The report of totals has few rows whatever it sums up. */
const awaitReports = async (merchant, ids, { accounts }, { paymentCount }) => {
  say('Reading and learning:')
  const total = accounts.filter(({ connector }) => connector !== 'stripe').length * paymentCount
  const progress = progressOf(total)
  await merchant.untilIngested(ids, (own) => {
    const rowCount = own.reduce((sum, { staged_rows }) => sum + staged_rows, 0)
    const doneCount = own.filter(({ status }) => status === 'completed').length
    progress.update(Math.min(rowCount, total - 1), `${doneCount} of ${ids.length} reports learned`)
  })
  progress.update(total, `${ids.length} of ${ids.length} reports learned`)
}

const learnedOf = async (merchant, connector, { network, funding, country, category }) => {
  const filter = { connector, card_network: network, funding, issuer_country: country.alpha2, ic_category: category, limit: 1 }
  const [cluster] = await merchant.get(`cost-clusters?${new URLSearchParams(filter)}`)
  if (cluster === undefined) throw new Error(`nothing was learned about ${network} ${funding} of ${country.alpha2} at ${connector}`)
  return cluster
}

const priceText = ({ segments, verdict, model_pct_bps, model_fixed }) => {
  if (segments.length > 0) return `${segments.length} tiers`
  return verdict === 'GOOD' ? `${model_pct_bps.toFixed(1)} bps + ${model_fixed.toFixed(2)}` : 'no price that can be trusted'
}

const pictured = async (merchant, account, options, shape) => {
  const { kind } = account.clusters.find((cluster) => cluster.kind.shape === shape)
  const cluster = await learnedOf(merchant, account.connector, kind)
  const payments = []
  for (const payment of paymentsOf(account, options)) {
    if (payment.cluster.kind !== kind) continue
    payments.push({ amount: payment.amount, fee: payment.fee.interchange + payment.fee.scheme + payment.fee.markup })
    if (payments.length === SHOWN_PAYMENT_COUNT) break
  }
  const price = priceText(cluster)
  return {
    title: `${kind.network} ${kind.funding}, ${kind.country.alpha2}`,
    subtitle: `${shape}: ${price}, ${cluster.n.toLocaleString('en')} payments`,
    currency: kind.currency,
    payments,
    pctBps: cluster.model_pct_bps,
    fixed: cluster.model_fixed,
    segments: cluster.segments,
  }
}

const writePicture = async (merchant, { accounts }, options) => {
  const [account] = accounts
  const clusters = []
  for (const shape of SHOWN_SHAPES) clusters.push(await pictured(merchant, account, options, shape))
  const path = resolve(options.out)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, drawFees({ subtitle: `${account.connector}, seed ${options.seed}; both axes go by powers of ten`, clusters }))
  return path
}

const decide = async (client, merchant, scene, { decisionCount }) => {
  const half = Math.floor(decisionCount / 2)
  say(`Deciding ${half.toLocaleString('en')} payments by approval alone, then as many that weigh cost at a margin of ${MARGIN * 100} %:`)
  const progress = progressOf(2 * half)
  const run = { client, merchant, scene }
  await pay({ ...run, from: 0, to: half, isWeighed: false, onProgress: (count) => progress.update(count, 'by approval') })
  return await pay({
    ...run,
    from: half,
    to: 2 * half,
    isWeighed: true,
    onProgress: (count) => progress.update(half + count, 'weighing cost'),
  })
}

const reportSavings = async (merchant, scene, weighed) => {
  const savings = savingsOf(scene, weighed)
  if (savings.weighedCount === 0) return say('No decision weighed cost: this server does not, or it explored every time.')
  say(
    `\nCost was weighed in ${savings.weighedCount.toLocaleString('en')} decisions and moved ${savings.wonCount.toLocaleString('en')} payments. ` +
      `${savings.pricedCount.toLocaleString('en')} prices were used; half of them are within ${savings.medianErrorBps.toFixed(2)} bps of what the payment really costs.\n`,
  )
  if (savings.wonCount === 0) return
  const realised = new Map()
  for (const [currency, { count }] of savings.byCurrency)
    realised.set(currency, (await merchant.untilCounted(currency, count)).realised_value)
  say(savingsTable(savings, realised))
}

const show = async (url, options) => {
  const client = createHttpClient({ url, connectionCountMax: CONNECTION_COUNT_MAX })
  try {
    const merchant = await createCostMerchant(url, client, process.env.SWITCHYARD_ADMIN_SECRET ?? 'test_admin')
    const scene = createScene(options)
    const ids = await sendReports(merchant, scene, options)
    await awaitReports(merchant, ids, scene, options)
    say(`\n${coverageTable(await merchant.get('cost-coverage'))}\n`)
    if (options.decisionCount > 1) await reportSavings(merchant, scene, await decide(client, merchant, scene, options))
    say(`\nPicture: ${await writePicture(merchant, scene, options)}`)
  } finally {
    client.close()
  }
}

await runDemo({ parse: parseCostOptions, usage: USAGE, show })
