import { networkOf } from '../reports/network-labels.ts'
import { UNKNOWN } from '../tuple-index.ts'
import type { ClusterKey, PricedPayment } from './cost-model.ts'
import { issuerCodeOf, regionOf } from './countries.ts'
import { Names } from './names.ts'

/** The texts of a model by what they name; each kind in the order of its numbers. */
export interface ModelTexts {
  readonly connectors: readonly string[]
  readonly networks: readonly string[]
  readonly variants: readonly string[]
  readonly fundings: readonly string[]
  readonly issuers: readonly string[]
  readonly currencies: readonly string[]
  readonly categories: readonly string[]
  readonly products: readonly string[]
  readonly regions: readonly string[]
}

const NOTHING: ModelTexts = {
  connectors: [],
  networks: [],
  variants: [],
  fundings: [],
  issuers: [],
  currencies: [],
  categories: [],
  products: [],
  regions: [],
}

const lower = (text: string): string => text.toLowerCase()

/** The numbers of all texts of a model, by what they name. */
export class ModelNames {
  readonly connectors: Names
  readonly networks: Names
  readonly variants: Names
  readonly fundings: Names
  readonly issuers: Names
  readonly currencies: Names
  readonly categories: Names
  readonly products: Names
  readonly regions: Names
  /** What number the parts of a cluster, as they are spelled, have in its key: behind the connector, in their order. */
  readonly ofParts: readonly ((spelling: string) => number)[]

  constructor(texts: ModelTexts = NOTHING) {
    this.connectors = new Names(texts.connectors)
    this.networks = new Names(texts.networks)
    this.variants = new Names(texts.variants)
    this.fundings = new Names(texts.fundings)
    this.issuers = new Names(texts.issuers)
    this.currencies = new Names(texts.currencies)
    this.categories = new Names(texts.categories)
    this.products = new Names(texts.products)
    this.regions = new Names(texts.regions)
    this.ofParts = [
      (network) => this.networks.add(networkOf(network)),
      (variant) => this.variants.add(lower(variant)),
      (funding) => this.fundings.add(lower(funding)),
      (country) => this.issuers.add(issuerCodeOf(country)),
      (currency) => this.currencies.add(lower(currency)),
      (category) => this.categories.add(lower(category)),
      (product) => this.products.add(product),
    ]
  }

  get texts(): ModelTexts {
    return {
      connectors: this.connectors.texts,
      networks: this.networks.texts,
      variants: this.variants.texts,
      fundings: this.fundings.texts,
      issuers: this.issuers.texts,
      currencies: this.currencies.texts,
      categories: this.categories.texts,
      products: this.products.texts,
      regions: this.regions.texts,
    }
  }

  /** Writes the seven numbers of a cluster, in the order of its key, into `key`. */
  putCluster(key: number[], cluster: ClusterKey): void {
    const { connector, cardNetwork, variant, funding, issuerCountry, currency, interchangeCategory } = cluster
    const spellings = [cardNetwork, variant, funding, issuerCountry, currency, interchangeCategory]
    key[0] = this.connectors.add(lower(connector))
    for (const [part, spelling] of spellings.entries()) key[part + 1] = this.ofParts[part]?.(spelling) ?? UNKNOWN
  }
}

/** A payment in the numbers of a model. */
export interface NumberedPayment {
  readonly network: number
  readonly variant: number
  readonly funding: number
  readonly issuer: number
  /** Number of the blank issuer: of reports that do not tell it. */
  readonly blankIssuer: number
  readonly region: number
  readonly blankRegion: number
  readonly currency: number
  /** Of its card; {@link UNKNOWN} where products do not matter. */
  readonly product: number
}

/** What of a payment its variant is told by. */
type VariantParts = Pick<PricedPayment, 'network' | 'program' | 'funding' | 'paymentMethod'>

/** Where the parts of a variant's spelling meet. */
const JOINT = '\u0000'

/** The variant that a report would call a payment: by its wallet, else by network, program and funding (cost.md 14). */
export const variantOfPayment = ({ network, program, funding, paymentMethod }: VariantParts): string => {
  const name = networkOf(network)
  const method = paymentMethod.toLowerCase()
  if (method.includes('apple')) return `${name}_applepay`
  if (method.includes('google')) return `${name}_googlepay`
  return (name + program + funding).toLowerCase().replace(/\s+/g, '')
}

const variantOfSpelling = (spelling: string): string => {
  const [network = '', program = '', funding = '', paymentMethod = ''] = spelling.split(JOINT)
  return variantOfPayment({ network, program, funding, paymentMethod })
}

/** Looks the texts of a payment up, once for all gateways. */
export const numberedPayment = (names: ModelNames, payment: PricedPayment, product: number): NumberedPayment => {
  const { network, program, funding, paymentMethod, issuerCountry, currency } = payment
  const spelling = `${network}${JOINT}${program}${JOINT}${funding}${JOINT}${paymentMethod}`
  return {
    network: network.trim() === '' ? UNKNOWN : names.networks.ofSpelling(network, networkOf),
    variant: names.variants.ofSpelling(spelling, variantOfSpelling),
    funding: names.fundings.ofSpelling(funding, lower),
    issuer: names.issuers.ofSpelling(issuerCountry, issuerCodeOf),
    blankIssuer: names.issuers.of(''),
    region: names.regions.ofSpelling(issuerCountry, regionOf),
    blankRegion: names.regions.of(''),
    currency: names.currencies.ofSpelling(currency, lower),
    product,
  }
}
