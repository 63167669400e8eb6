import { networkOf } from '../reports/network-labels.ts'
import type { ClusterKey, PricedPayment } from './cost-model.ts'
import { issuerCodeOf, regionOf } from './countries.ts'
import { Names } from './names.ts'
import { UNKNOWN } from './tuple-index.ts'

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
    key[0] = this.connectors.add(lower(cluster.connector))
    key[1] = this.networks.add(networkOf(cluster.cardNetwork))
    key[2] = this.variants.add(lower(cluster.variant))
    key[3] = this.fundings.add(lower(cluster.funding))
    key[4] = this.issuers.add(issuerCodeOf(cluster.issuerCountry))
    key[5] = this.currencies.add(lower(cluster.currency))
    key[6] = this.categories.add(lower(cluster.interchangeCategory))
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
