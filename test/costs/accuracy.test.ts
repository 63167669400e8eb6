import { describe, expect, test } from '@jest/globals'
import { type FittedCluster, fitAccount, GOOD_ERROR_MAX_BPS, GRADED_COUNT_MIN, statisticsOf } from '@switchyard/costs'
import { type SettledPayment, settledPayments } from '../../demo/settlements/payments.mjs'
import { CONNECTORS } from '../../demo/settlements/report.mjs'
import { linesOf } from '../../demo/settlements/tariff.mjs'
import { type Account, type CardKind, cardKinds, createAccount, type TrueCluster } from '../../demo/settlements/world.mjs'
import { contributionOf, fittedOf, learn } from './learning.ts'

const BPS = 10_000
const EVENTS = { refund: 0.05, chargeback: 0.01 }
const OF_PAYMENTS = CONNECTORS.filter((connector) => connector !== 'stripe')
const KINDS = cardKinds({ seed: 1, count: 26 })

const accountOf = (connector: string, kinds: readonly CardKind[] = KINDS, account = 'Shop'): Account =>
  createAccount({ seed: 1, connector, account, kinds })

const paymentsOf = (account: Account, seed: number, perKind: number, months = 2): Iterable<SettledPayment> =>
  settledPayments({
    seed,
    account,
    count: perKind * account.clusters.length,
    firstDay: '2026-06-01',
    dayCount: months * 30,
    noise: 0.01,
    events: EVENTS,
  })

const ofShape = ({ clusters }: Account, shape: CardKind['shape']): readonly TrueCluster[] =>
  clusters.filter(({ kind }) => kind.shape === shape)

const totalFee = ({ fee }: SettledPayment): number => fee.interchange + fee.scheme + fee.markup

/** What a cluster costs where it is called GOOD, as a function of the amount; null elsewhere. */
const goodPrice = ({ verdict, fee, tiers }: FittedCluster, amount: number): number | null => {
  const at = verdict === 'GOOD' ? fee : tiers.find((tier) => tier.verdict === 'GOOD' && amount >= tier.from && amount < tier.to)?.fee
  return at ? (at.pctBps / BPS) * amount + at.fixed : null
}

/** Root mean square of the relative error over payments that nothing was learned from, bps; 0 when none of them is priced. */
const freshErrorBps = (fitted: FittedCluster, payments: readonly SettledPayment[]): number => {
  const squares = payments.flatMap((payment) => {
    const price = goodPrice(fitted, payment.amount)
    return price === null ? [] : [((totalFee(payment) - price) / payment.amount) ** 2]
  })
  return squares.length === 0 ? 0 : Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length) * BPS
}

describe('what is learned from generated reports of a known truth', () => {
  test.each(OF_PAYMENTS)('%s: plain tariffs are found within 0.5 bps and 0.005', (connector) => {
    const account = accountOf(connector)
    const fitted = learn(account, paymentsOf(account, 2, 260))
    for (const cluster of ofShape(account, 'linear')) {
      const found = fittedOf(fitted, connector, cluster)
      expect(found.n).toBeGreaterThanOrEqual(GRADED_COUNT_MIN)
      expect(found).toMatchObject({ verdict: 'GOOD', tiers: [] })
      const [truth] = linesOf(cluster.tariff)
      expect(Math.abs((found.fee?.pctBps ?? 0) - (truth?.pctBps ?? 0))).toBeLessThan(0.5)
      expect(Math.abs((found.fee?.fixed ?? 0) - (truth?.fixed ?? 0))).toBeLessThan(0.005)
    }
  })

  test.each(OF_PAYMENTS)('%s: capped and tiered fees are found as tiers', (connector) => {
    const account = accountOf(connector)
    const fitted = learn(account, paymentsOf(account, 3, 900))
    for (const cluster of [...ofShape(account, 'capped'), ...ofShape(account, 'tiered')]) {
      const { verdict, tiers } = fittedOf(fitted, connector, cluster)
      expect(verdict).toBe('NON_LINEAR')
      const truth = linesOf(cluster.tariff)
      const ends = [tiers[0], tiers.at(-1)]
      expect(tiers.length).toBeGreaterThanOrEqual(2)
      ends.forEach((tier, index) => {
        const middle = Math.sqrt((tier?.from ?? 0) * (tier?.to ?? 0))
        const costOf = (fee: { readonly pctBps: number; readonly fixed: number } | null | undefined) =>
          (fee?.pctBps ?? 0) + ((fee?.fixed ?? 0) / middle) * BPS
        expect(tier?.verdict).toBe('GOOD')
        expect(Math.abs(costOf(tier?.fee) - costOf(truth[index]))).toBeLessThan(5)
      })
    }
  })

  test.each([
    ['adyen', 260],
    ['chase', 1000],
  ])('%s: nothing that is called GOOD misses %d fresh payments by more than 15 bps', (connector, perKind) => {
    const account = accountOf(connector)
    const fitted = learn(account, paymentsOf(account, 2, perKind))
    const fresh = [...paymentsOf(account, 99, 1000)]
    for (const cluster of account.clusters) {
      const own = fresh.filter((payment) => payment.cluster === cluster)
      expect(freshErrorBps(fittedOf(fitted, connector, cluster), own)).toBeLessThanOrEqual(GOOD_ERROR_MAX_BPS)
    }
  })

  test('stripe: the split of totals is found exactly, and totals of capped fees are never called GOOD', () => {
    const distinct = new Map(cardKinds({ seed: 1, count: 60 }).map((kind) => [`${kind.network} ${kind.funding} ${kind.currency}`, kind]))
    const account = accountOf('stripe', [...distinct.values()])
    const fitted = learn(account, paymentsOf(account, 2, 1500, 3))
    const [linear, others] = [ofShape(account, 'linear'), account.clusters.filter(({ kind }) => kind.shape !== 'linear')]
    expect([linear.length, others.length].every((count) => count > 0)).toBe(true)
    for (const cluster of linear) {
      const found = fittedOf(fitted, 'stripe', cluster)
      const [truth] = linesOf(cluster.tariff)
      expect(found.verdict).toBe('GOOD')
      expect(Math.abs((found.fee?.pctBps ?? 0) - (truth?.pctBps ?? 0))).toBeLessThan(0.5)
      expect(Math.abs((found.fee?.fixed ?? 0) - (truth?.fixed ?? 0))).toBeLessThan(0.005)
    }
    for (const cluster of others) expect(fittedOf(fitted, 'stripe', cluster).verdict).not.toBe('GOOD')
  })

  test('accounts of one connector, and currencies of one account, are learned apart', () => {
    const [one, other] = [accountOf('adyen'), accountOf('adyen', KINDS, 'Other shop')]
    expect(new Set(KINDS.map(({ currency }) => currency)).size).toBeGreaterThan(2)
    const [ofOne, ofOther] = [learn(one, paymentsOf(one, 2, 260)), learn(other, paymentsOf(other, 2, 260))]
    for (const [index, cluster] of one.clusters.entries()) {
      const twin = other.clusters[index]
      if (cluster.kind.shape !== 'linear' || twin === undefined) continue
      const difference = (fittedOf(ofOne, 'adyen', cluster).fee?.pctBps ?? 0) - (fittedOf(ofOther, 'adyen', twin).fee?.pctBps ?? 0)
      const truth = (linesOf(cluster.tariff)[0]?.pctBps ?? 0) - (linesOf(twin.tariff)[0]?.pctBps ?? 0)
      expect(Math.abs(difference - truth)).toBeLessThan(1)
    }
  })

  test.each(CONNECTORS)('%s: deleting an ingestion leaves what would be without it', (connector) => {
    const account = accountOf(connector)
    const first = contributionOf(account, paymentsOf(account, 2, 20), 1)
    const second = contributionOf(account, paymentsOf(account, 3, 20), 2)
    const fitOf = (...all: Parameters<typeof statisticsOf>[0][]) => fitAccount(statisticsOf(all.flatMap((some) => [...some])))
    expect(fitOf([first, second].filter(({ sequence }) => sequence !== 2))).toEqual(fitOf([first]))
    expect(fitOf([second, first])).toEqual(fitOf([first, second]))
    expect(fitOf([first, second])).toEqual(fitOf([second]))
  })
})
