import { describe, expect, test } from '@jest/globals'
import { settledPayments } from './payments.mjs'
import { CONNECTORS, reportChunks } from './report.mjs'
import { feeOf, linesOf } from './tariff.mjs'
import { type Account, cardKinds, createAccount } from './world.mjs'

const KINDS = cardKinds({ seed: 1, count: 13 })
const accountOf = (connector: string, account = 'Shop'): Account => createAccount({ seed: 1, connector, account, kinds: KINDS })
const drawn = (connector: string, seed: number, count = 500) =>
  settledPayments({
    seed,
    account: accountOf(connector),
    count,
    firstDay: '2026-06-01',
    dayCount: 30,
    events: { refund: 0.1, chargeback: 0.05 },
  })
const textOf = (connector: string, seed: number): string => [...reportChunks(accountOf(connector), drawn(connector, seed))].join('')

describe('generated settlement reports', () => {
  test.each(CONNECTORS)('%s: the same seed gives the same report, another one another', (connector) => {
    expect(textOf(connector, 2)).toBe(textOf(connector, 2))
    expect(textOf(connector, 3)).not.toBe(textOf(connector, 2))
  })

  test('a report is written while it is read: payments are drawn as its chunks are asked for', () => {
    const account = accountOf('adyen')
    let drawnCount = 0
    const payments = function* () {
      for (const payment of settledPayments({ seed: 1, account, count: 1_000_000_000, firstDay: '2026-06-01', dayCount: 30 })) {
        drawnCount += 1
        yield payment
      }
    }
    const [first] = reportChunks(account, payments())
    expect(first?.length).toBeGreaterThan(60_000)
    expect(drawnCount).toBeLessThan(1000)
  })

  test('the markup differs between accounts, interchange and scheme fees do not', () => {
    const [one, other] = [accountOf('adyen').clusters, accountOf('adyen', 'Other').clusters]
    expect(one.map(({ tariff }) => tariff.interchange)).toEqual(other.map(({ tariff }) => tariff.interchange))
    expect(one.map(({ tariff }) => tariff.scheme)).toEqual(other.map(({ tariff }) => tariff.scheme))
    expect(one.map(({ tariff }) => tariff.markup)).not.toEqual(other.map(({ tariff }) => tariff.markup))
  })

  test('a fee is its tariff, give or take the noise', () => {
    for (const { cluster, amount, fee } of drawn('adyen', 4)) {
      const truth = feeOf(cluster.tariff, amount)
      expect(Math.abs(fee.interchange + fee.scheme + fee.markup - truth)).toBeLessThanOrEqual(0.01 * truth + 1e-9)
      const line = linesOf(cluster.tariff).find(({ from, to }) => amount >= from && amount < to)
      expect(truth).toBeCloseTo(((line?.pctBps ?? 0) / 10_000) * amount + (line?.fixed ?? 0), 9)
    }
  })

  test('refunds and chargebacks are lines of their own', () => {
    const lines = textOf('adyen', 2).split('\n')
    const countOf = (type: string) => lines.filter((line) => line.includes(`,${type},`)).length
    expect(countOf('Settled')).toBe(500)
    expect(countOf('Refunded')).toBe([...drawn('adyen', 2)].filter(({ isRefunded }) => isRefunded).length)
    expect(countOf('Chargeback')).toBeGreaterThan(5)
  })
})
