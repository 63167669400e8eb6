import { drawsOf } from '../random.mjs'

/**
 * The world that settlement reports tell of: kinds of cards whose interchange and scheme fees are the same wherever they are
 * processed, and accounts that add a markup of their own. The same seed gives the same world.
 */

const NETWORKS = ['visa', 'mc', 'amex']
const FUNDINGS = ['debit', 'credit']
/** Two and three letters of ISO 3166, and the currency that is settled there. */
const COUNTRIES = [
  ['NL', 'NLD', 'EUR'],
  ['DE', 'DEU', 'EUR'],
  ['GB', 'GBR', 'GBP'],
  ['US', 'USA', 'USD'],
  ['FR', 'FRA', 'EUR'],
  ['PL', 'POL', 'PLN'],
  ['ES', 'ESP', 'EUR'],
  ['SE', 'SWE', 'SEK'],
  ['CA', 'CAN', 'CAD'],
  ['IT', 'ITA', 'EUR'],
].map(([alpha2, alpha3, currency]) => ({ alpha2, alpha3, currency }))
const SEEN_TOGETHER = NETWORKS.length * FUNDINGS.length * COUNTRIES.length

const KIND_STREAM = 1_000_000
const ACCOUNT_STREAM = 2_000_000
const FIRST_BIN = 400_000
const BPS = 10_000
/** Of each thirteen kinds two have capped interchange and two have tiers: prime to the numbers of networks, fundings and countries. */
const SHAPE_PERIOD = 13
const CAPPED_FROM = 9
const TIERED_FROM = 11

const roundTo = (digits, value) => Number(value.toFixed(digits))
const between = (from, to, draw) => from + (to - from) * draw

/** Ranges of amounts by shape: a cap is only seen by payments on both of its sides. */
const AMOUNTS = { linear: { from: 5, to: 300 }, capped: { from: 20, to: 20_000 }, tiered: { from: 20, to: 20_000 } }

const shapeOf = (index) => {
  const place = index % SHAPE_PERIOD
  if (place < CAPPED_FROM) return 'linear'
  return place < TIERED_FROM ? 'capped' : 'tiered'
}

/** Interchange of a kind: one line, or the lines from certain amounts on. */
const interchangeOf = (shape, funding, draw) => {
  const bps = Math.round(funding === 'debit' ? between(15, 40, draw()) : between(30, 90, draw()))
  if (shape === 'linear') return [{ from: 0, bps, fixed: roundTo(2, between(0, 0.1, draw())) }]
  const from = Math.round(between(1500, 4000, draw()))
  if (shape === 'capped') {
    const high = bps + 80
    return [
      { from: 0, bps: high, fixed: 0.05 },
      { from, bps: 0, fixed: roundTo(4, (high / BPS) * from + 0.05) },
    ]
  }
  return [
    { from: 0, bps: bps + 120, fixed: 0.1 },
    { from, bps, fixed: 1.5 },
  ]
}

const kindAt = (seed, index) => {
  const draw = drawsOf(seed, KIND_STREAM + index)
  const network = NETWORKS[index % NETWORKS.length]
  const funding = FUNDINGS[Math.floor(index / NETWORKS.length) % FUNDINGS.length]
  const country = COUNTRIES[Math.floor(index / (NETWORKS.length * FUNDINGS.length)) % COUNTRIES.length]
  const shape = shapeOf(index)
  return {
    index,
    shape,
    network,
    funding,
    country,
    currency: country.currency,
    /** Kinds that share everything else are told apart by the category of their interchange. */
    category: `C${Math.floor(index / SEEN_TOGETHER)} ${funding === 'debit' ? 'Consumer debit' : 'Consumer credit'}`,
    bin: String(FIRST_BIN + index).slice(0, 6),
    amounts: AMOUNTS[shape],
    interchange: interchangeOf(shape, funding, draw),
    scheme: { bps: roundTo(1, between(3, 12, draw())), fixed: roundTo(2, between(0, 0.03, draw())) },
  }
}

/**
 * The kinds of cards of a seed. Amounts of capped and tiered kinds reach over the change of their price.
 *
 * @param {{ readonly seed: number, readonly count: number }} options
 */
export const cardKinds = ({ seed, count }) => Array.from({ length: count }, (_, index) => kindAt(seed, index))

/**
 * An account at a connector: it processes these kinds, each for a markup of its own that is drawn around `markupBps`.
 *
 * @param {import('./world.mjs').AccountOptions} options
 */
export const createAccount = ({ seed, connector, account, kinds, markupBps = 30, markupFixed = 0.1 }) => {
  const stream = Buffer.from(`${connector} ${account}`).reduce((hash, byte) => (Math.imul(hash, 31) + byte) >>> 0, ACCOUNT_STREAM)
  const clusters = kinds.map((kind) => {
    const draw = drawsOf(seed ^ stream, kind.index)
    const markup = { bps: roundTo(1, markupBps * between(0.7, 1.3, draw())), fixed: roundTo(2, markupFixed * between(0.5, 1.5, draw())) }
    const hasTerminal = connector !== 'braintree' && connector !== 'checkout' && draw() < 0.3
    return { kind, hasTerminal, tariff: { interchange: kind.interchange, scheme: kind.scheme, markup } }
  })
  return { connector, account, clusters }
}
