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
export const sampleFit = (clusterCount) => {
  const fitted = Array.from({ length: clusterCount }, (_, index) => fittedOf(index))
  const sums = { n: 50 }
  const buckets = fitted.flatMap(({ cluster }) => BANDS.map((band) => ({ cluster, day: 20_000, channel: 'ecom', band, sums })))
  const binRates = Array.from({ length: BIN_COUNT }, (_, slot) => ({
    bin: String(FIRST_BIN + slot),
    day: 20_000,
    rate: String(slot % PRODUCT_COUNT),
    count: 10,
  }))
  return { fitted, statistics: { buckets, totals: [], binRates, latestDay: 20_000 } }
}

/** A learned model of so many clusters in all, the same of every gateway. */
export const sampleModel = (clusterCount, gatewayCount) => {
  const { fitted } = sampleFit(clusterCount / gatewayCount)
  const connectors = gatewayNames(gatewayCount)
  const seen = BANDS.map((band) => ({ channel: 'ecom', band, count: 50 }))
  return {
    accounts: connectors.map((connector) => ({ connector, account: 'a', addOn: null, clusters: fitted })),
    categoryCounts: connectors.flatMap((connector) => fitted.map(({ cluster }) => ({ connector, ...cluster, seen }))),
    productByBin: new Map(Array.from({ length: BIN_COUNT }, (_, slot) => [String(FIRST_BIN + slot), String(slot % PRODUCT_COUNT)])),
  }
}

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
