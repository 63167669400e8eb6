import { MARGIN } from './cost-merchant.mjs'

const CONCURRENCY = 16
const BPS = 10_000

const decisionRequest = (merchantId, gateways, { index, kind, amount }, isWeighed) => ({
  merchantId,
  eligibleGatewayList: gateways,
  rankingAlgorithm: 'SR_BASED_ROUTING',
  eliminationEnabled: false,
  enableMultiObjective: isWeighed,
  paymentInfo: {
    paymentId: `cost_${index}`,
    amount,
    currency: kind.currency,
    country: kind.country.alpha2,
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: kind.funding.toUpperCase(),
    cardSwitchProvider: kind.network.toUpperCase(),
    cardType: kind.funding.toUpperCase(),
    cardProgram: 'standard',
    cardIssuerCountry: kind.country.alpha2,
    cardIsin: kind.bin,
  },
})

const outcomeRequest = (merchantId, payment, gateway, isApproved) => ({
  merchantId,
  gateway,
  paymentId: `cost_${payment.index}`,
  status: isApproved ? 'CHARGED' : 'AUTHORIZATION_FAILED',
})

/**
 * Sends payments through decisions and reports how they ended; gives the decisions of those that were weighed.
 *
 * @param {{ readonly client: any, readonly merchant: any, readonly scene: any, readonly from: number, readonly to: number,
 *   readonly isWeighed: boolean, readonly onProgress: (doneCount: number) => void }} run
 */
export const pay = async ({ client, merchant, scene, from, to, isWeighed, onProgress }) => {
  const { merchantId, headers } = merchant
  const weighed = []
  let next = from
  let doneCount = 0
  const payOne = async (payment) => {
    const body = decisionRequest(merchantId, scene.gateways, payment, isWeighed)
    const decision = await client.post('/decide-gateway', { headers, body })
    const gateway = decision.decided_gateway
    await client.post('/update-gateway-score', {
      headers,
      body: outcomeRequest(merchantId, payment, gateway, scene.isApproved(gateway, payment)),
    })
    if (decision.multi_objective_info) weighed.push({ payment, gateway, info: decision.multi_objective_info })
    doneCount += 1
    onProgress(doneCount)
  }
  const work = async () => {
    while (next < to) {
      const payment = scene.paymentAt(next)
      next += 1
      await payOne(payment)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return weighed
}

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * What weighing cost did: by the model of the server, and by the tariffs that it had to find out.
 *
 * @param {any} scene
 * @param {readonly any[]} weighed
 */
export const savingsOf = (scene, weighed) => {
  const won = weighed.filter(({ info }) => info.outcome === 'COST_WON')
  const byCurrency = new Map()
  for (const { payment, gateway, info } of won) {
    const { amount, kind } = payment
    const head = info.ranked.find(({ isSrHead }) => isSrHead)
    const chosen = info.ranked.find(({ isChosen }) => isChosen)
    const sum = byCurrency.get(kind.currency) ?? { count: 0, amount: 0, told: 0, real: 0, givenUp: 0 }
    sum.count += 1
    sum.amount += amount
    sum.told += (info.costSavedBps / BPS) * amount
    sum.real += ((scene.trueCostBps(head.psp, payment) - scene.trueCostBps(gateway, payment)) / BPS) * amount
    sum.givenUp += (head.authRate - chosen.authRate) * amount * MARGIN
    byCurrency.set(kind.currency, sum)
  }
  const errors = weighed.flatMap(({ payment, info }) =>
    (info.ranked ?? []).map(({ psp, costBps }) => Math.abs(costBps - scene.trueCostBps(psp, payment))),
  )
  return { weighedCount: weighed.length, wonCount: won.length, byCurrency, medianErrorBps: median(errors), pricedCount: errors.length }
}
