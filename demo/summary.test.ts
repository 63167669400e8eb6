import { describe, expect, test } from '@jest/globals'
import { createLedger, type Ledger } from './ledger.mjs'
import { createMarket, GATEWAYS, PHASES } from './market.mjs'
import { reportText, tableLines } from './report.mjs'
import { referenceRouters } from './routers.mjs'
import { ROUTER_NAME, summarise } from './summary.mjs'

const PAYMENT_COUNT = 4_000
const market = createMarket({ seed: 3, paymentCount: PAYMENT_COUNT })

const runWith = (choose: (index: number) => string): Ledger => {
  const ledger = createLedger(PAYMENT_COUNT)
  for (let index = 0; index < PAYMENT_COUNT; index += 1) {
    const gateway = choose(index)
    const isApproved = market.isApproved(gateway, market.paymentAt(index))
    ledger.record(index, { gateway, isApproved, explored: index % 10 === 0, scoreOf: { [gateway]: 0.5 } })
  }
  return ledger
}

const chooseLike = (name: string): ((index: number) => string) => {
  const router = referenceRouters(market).find((candidate) => candidate.name === name)
  if (router === undefined) throw new Error(`${name} is not a reference router`)
  return (index) => router.choose(market.paymentAt(index))
}

const rateOf = (ledger: Ledger, name: string): number =>
  summarise(market, ledger).comparison.find((row) => row.name === name)?.rate ?? Number.NaN

describe('the figures of a run', () => {
  test('knowing more approves more', () => {
    const { comparison } = summarise(market, runWith(chooseLike('round-robin')))
    const [, roundRobin, perMethod, allKnowing] = comparison.map(({ rate }) => rate)
    expect(roundRobin).toBeLessThan(perMethod ?? 0)
    expect(perMethod).toBeLessThan(allKnowing ?? 0)
  })

  test.each(['round-robin', 'best per method', 'all-knowing'])(
    'a run that decides like %s has the same figures as that reference',
    (name) => {
      const ledger = runWith(chooseLike(name))
      expect(rateOf(ledger, ROUTER_NAME)).toBe(rateOf(ledger, name))
    },
  )

  test('all shares of a phase add up to one, all payments to the run', () => {
    const { rows } = summarise(market, runWith(chooseLike('round-robin')))
    for (const { name } of PHASES) {
      const shares = rows.filter(({ phase }) => phase === name).map(({ share }) => share)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
    }
    expect(rows.reduce((sum, { paymentCount }) => sum + paymentCount, 0)).toBe(PAYMENT_COUNT)
  })

  test('a payment that was never answered counts nowhere, also not for the references', () => {
    const ledger = createLedger(PAYMENT_COUNT)
    ledger.record(0, { gateway: 'harbor', isApproved: true, explored: false, scoreOf: null })
    const summary = summarise(market, ledger)
    expect(summary).toMatchObject({ answeredCount: 1, unansweredCount: PAYMENT_COUNT - 1 })
    for (const { approvalCount } of summary.comparison) expect(approvalCount).toBeLessThanOrEqual(1)
  })

  test('the last score of the phase is the one shown', () => {
    const ledger = runWith(() => 'harbor')
    const lastCredit =
      Array.from({ length: PAYMENT_COUNT }, (_, index) => index).findLast((index) => market.paymentAt(index).method.key === 'credit') ?? 0
    ledger.record(lastCredit, { gateway: 'harbor', isApproved: true, explored: false, scoreOf: { harbor: 0.75 } })
    const row = summarise(market, ledger).rows.find(({ phase, gateway }) => phase === 'after' && gateway === 'harbor')
    expect(row?.scores.find(({ method }) => method === 'credit')?.score).toBe(0.75)
    expect(row?.scores.find(({ method }) => method === 'debit')?.score).toBe(0.5)
  })

  test('a gateway that is not of this market is refused', () => {
    expect(() => createLedger(1).record(0, { gateway: 'elsewhere', isApproved: true, explored: false, scoreOf: null })).toThrow('elsewhere')
  })

  test('the report names every gateway, every router and what the router could not see', () => {
    const text = reportText(summarise(market, runWith(chooseLike('round-robin'))))
    for (const name of [...GATEWAYS, ROUTER_NAME, 'round-robin', 'all-knowing', 'no currency, no network']) expect(text).toContain(name)
    expect(text).not.toContain('NaN')
  })

  test('the columns of a table line up', () => {
    const lines = tableLines(
      ['name', 'n'],
      [
        ['a', '1'],
        ['longer', '1,000'],
      ],
    )
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1)
    expect(lines.at(-1)).toBe('longer  1,000')
  })
})
