import { clusterText, compileLearnedCosts, fitEvents, NumberedFit } from '@switchyard/costs'

const NETWORKS = ['visa', 'mc', 'amex', 'discover']
const FUNDINGS = ['debit', 'credit', 'prepaid', 'commercial']
const PROGRAM_COUNT = 20
const ISSUERS = 'NL DE FR US GB ES IT SE NO PL BR IN JP CA AU BE AT PT FI DK'.split(' ')
const CURRENCIES = ['EUR', 'USD', 'GBP']
const CATEGORY_COUNT = 13
const PRODUCT_COUNT = 7
/** Sizes of payments that each cluster has been seen in. */
const BANDS = [17, 18, 19, 20]
const BIN_COUNT = 20_000
const FIRST_BIN = 400_000

const at = (values, index) => values[index % values.length]

/** The cluster of an index: all combinations of network, funding, program, issuer and currency, one after the other. */
const clusterOf = (index) => {
  const cardNetwork = at(NETWORKS, index)
  const funding = at(FUNDINGS, Math.floor(index / 4))
  const program = `program${Math.floor(index / 16) % PROGRAM_COUNT}`
  return {
    cardNetwork,
    variant: `${cardNetwork}${program}${funding}`,
    funding,
    issuerCountry: at(ISSUERS, Math.floor(index / 320)),
    currency: at(CURRENCIES, Math.floor(index / 6_400)),
    interchangeCategory: `Category ${index % CATEGORY_COUNT}`,
    cardProduct: String(index % PRODUCT_COUNT),
  }
}

const fittedOf = (index) => ({
  cluster: clusterOf(index),
  basis: 'payments',
  fee: { pctBps: 100 + (index % 90), fixed: 0.1 },
  n: 500,
  gross: 1_000 + index,
  errorBps: 2,
  slopeErrorBps: 1,
  explainedShare: 1,
  verdict: 'GOOD',
  tiers: [],
})

export const gatewayNames = (gatewayCount) => Array.from({ length: gatewayCount }, (_, slot) => `gate_${String.fromCharCode(97 + slot)}`)

/** Statistics and fit of an account with so many clusters, as a fit of reports would have them. */
const sampleFit = (clusterCount) => {
  const fitted = Array.from({ length: clusterCount }, (_, index) => fittedOf(index))
  const sums = { n: 50 }
  const clusters = new Map(
    fitted.map(({ cluster }) => [clusterText(cluster), BANDS.map((band) => ({ cluster, day: 20_000, channel: 'ecom', band, sums }))]),
  )
  const binRates = Array.from({ length: BIN_COUNT }, (_, slot) => ({
    bin: String(FIRST_BIN + slot),
    day: 20_000,
    rate: String(slot % PRODUCT_COUNT),
    count: 10,
  }))
  return { fitted, statistics: { clusters, totals: [], binRates, latestDay: 20_000 } }
}

/** The events of a fit of so many clusters. */
export const sampleFitEvents = (clusterCount, { merchantId, connector, fitCount }) => {
  const { fitted, statistics } = sampleFit(clusterCount)
  const identity = { merchantId, merchantRegistrationCount: 1, connector, account: 'a', fitId: `f${fitCount}`, fitCount, at: 0 }
  return fitEvents(identity, statistics, fitted)
}

const numberedFit = (events) => {
  const fit = new NumberedFit(events.length)
  for (const { data } of events) fit.take(data.chunkSlot, data.clusters, data.binRates)
  return fit
}

/** Compiles the fits of connectors, the events of each in an array. */
export const compileFits = (fits) =>
  compileLearnedCosts({
    accounts: fits.map((events) => ({ connector: events[0].data.connector, fit: numberedFit(events), addOn: null })),
    productByBin: new Map(Array.from({ length: BIN_COUNT }, (_, slot) => [String(FIRST_BIN + slot), String(slot % PRODUCT_COUNT)])),
  })

/** Fits of so many clusters in all, the same of every gateway. */
export const sampleFits = (clusterCount, gatewayCount) =>
  gatewayNames(gatewayCount).map((connector) => sampleFitEvents(clusterCount / gatewayCount, { merchantId: 'm', connector, fitCount: 1 }))

/** Payments that fall into clusters of such models; some have a program that no report knows. */
export const samplePayments = (count, clusterCount) =>
  Array.from({ length: count }, (_, index) => {
    const { cardNetwork, funding, issuerCountry } = clusterOf((index * 7) % clusterCount)
    return {
      amount: 51 + (index % 48),
      currency: 'EUR',
      network: cardNetwork.toUpperCase(),
      funding: funding.toUpperCase(),
      program: `program${index % PROGRAM_COUNT}`,
      issuerCountry,
      bin: String(FIRST_BIN + (index % BIN_COUNT)),
      channel: 'ecom',
      paymentMethod: 'CREDIT',
    }
  })

const REPORT_COLUMNS =
  'Record Type,Psp Reference,Payment Method Variant,Global Card Brand,Issuer Country,Settlement Currency,Payable (SC),Commission (SC),Markup (SC),Scheme Fees (SC),Interchange (SC),ICSF details,Booking Date'

const reportLine = (index, amount) => {
  const { cardNetwork, variant, issuerCountry, currency, interchangeCategory } = clusterOf(index)
  const details = `"[{""t"":""ic"",""n"":""${interchangeCategory}"",""bps"":${1 + (index % PRODUCT_COUNT)}}]"`
  return `Settled,P${index},${variant},${cardNetwork},${issuerCountry},${currency},${amount},0,0.1,0,${amount / 100},${details},2026-01-05\n`
}

/** A settlement report of Adyen's form with so many clusters, two payments each, piece by piece. */
export function* clusterReport(clusterCount) {
  yield `${REPORT_COLUMNS}\n`
  for (let index = 0; index < clusterCount; index += 1) yield `${reportLine(index, 50)}${reportLine(index, 80)}`
}
