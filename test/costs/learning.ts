import {
  type Contribution,
  createReportReader,
  dayAt,
  type FitCluster,
  type FittedCluster,
  fitAccount,
  RollUp,
  reportFormatOf,
  statisticsOf,
} from '@switchyard/costs'
import { parse } from 'csv-parse/sync'
import type { SettledPayment } from '../../demo/settlements/payments.mjs'
import { reportChunks } from '../../demo/settlements/report.mjs'
import type { Account, TrueCluster } from '../../demo/settlements/world.mjs'

const INGESTED_AT_MS = Date.UTC(2026, 10, 1)

/** The records of a report as a file has them. */
const recordsOf = (account: Account, payments: Iterable<SettledPayment>): readonly (readonly string[])[] =>
  parse([...reportChunks(account, payments)].join(''), { bom: false, relaxColumnCount: true, relaxQuotes: false })

/** Takes a report in as its connector writes it; throws when any of it can't be read. */
export const contributionOf = (
  account: Account,
  payments: Iterable<SettledPayment>,
  sequence = 1,
  covers: Contribution['covers'] = 'whole-days',
): Contribution => {
  const format = reportFormatOf(account.connector)
  if (format === undefined) throw new Error(`no format of ${account.connector}`)
  const rollUp = new RollUp(() => undefined, dayAt(INGESTED_AT_MS))
  const reader = createReportReader(format, {}, (row) => rollUp.take(row))
  recordsOf(account, payments).forEach((record, index) => reader.take(record, index + 1))
  const result = reader.finish()
  if (result.outcome !== 'read' || result.tally.unreadableCount > 0) throw new Error(JSON.stringify(result))
  return { ingestionId: `i${sequence}`, sequence, covers, ...rollUp.finish() }
}

/** What is learned from the payments of an account alone. */
export const learn = (account: Account, payments: Iterable<SettledPayment>): readonly FittedCluster[] =>
  fitAccount(statisticsOf([contributionOf(account, payments)]))

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()

/** The cluster that the payments of a kind have to end in, by what the report of its connector tells. */
const expectedCluster = (connector: string, { kind }: TrueCluster): FitCluster => {
  const { network, country, currency } = kind
  const funding = kind.funding === 'debit' ? 'debit' : 'credit'
  const plain = { cardNetwork: network, variant: network + funding, funding, currency, cardProduct: '' } as const
  switch (connector) {
    case 'adyen':
      return {
        ...plain,
        variant: `${network}standard${funding}`,
        issuerCountry: country.alpha2,
        interchangeCategory: kind.category,
        cardProduct: String(kind.interchange[0]?.bps),
      }
    case 'braintree':
      return { ...plain, issuerCountry: country.alpha3, interchangeCategory: kind.category }
    case 'chase':
      return { ...plain, issuerCountry: country.alpha2, interchangeCategory: kind.category }
    case 'checkout':
      return { ...plain, issuerCountry: country.alpha2, interchangeCategory: capitalized(kind.category) }
    case 'stripe':
      return { ...plain, issuerCountry: '', interchangeCategory: '' }
    default:
      throw new Error(`what clusters of ${connector} are is not told here`)
  }
}

/** Finds what was learned about a kind; throws when nothing was. */
export const fittedOf = (fitted: readonly FittedCluster[], connector: string, truth: TrueCluster): FittedCluster => {
  const expected = JSON.stringify(Object.entries(expectedCluster(connector, truth)).sort())
  const found = fitted.find(({ cluster }) => JSON.stringify(Object.entries(cluster).sort()) === expected)
  if (found === undefined) throw new Error(`nothing was learned about ${expected}`)
  return found
}
