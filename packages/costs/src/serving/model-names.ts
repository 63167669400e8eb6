import { networkOf } from '../reports/network-labels.ts'
import type { ClusterKey, PricedPayment } from './cost-model.ts'
import { issuerCodeOf, regionOf } from './countries.ts'
import { Names, UNKNOWN } from './tuple-index.ts'

/** The numbers of all texts of a model, by what they name. */
export class ModelNames {
  readonly connectors: Names = new Names()
  readonly networks: Names = new Names()
  readonly variants: Names = new Names()
  readonly fundings: Names = new Names()
  readonly issuers: Names = new Names()
  readonly currencies: Names = new Names()
  readonly categories: Names = new Names()
  readonly products: Names = new Names()
  readonly regions: Names = new Names()

  /** The seven numbers of a cluster, in the order of its key. */
  addCluster(key: ClusterKey): readonly number[] {
    return [
      this.connectors.add(key.connector.toLowerCase()),
      this.networks.add(networkOf(key.cardNetwork)),
      this.variants.add(key.variant.toLowerCase()),
      this.fundings.add(key.funding.toLowerCase()),
      this.issuers.add(issuerCodeOf(key.issuerCountry)),
      this.currencies.add(key.currency.toLowerCase()),
      this.categories.add(key.interchangeCategory.toLowerCase()),
    ]
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
  readonly product: number
}

/** The variant that a report would call a payment: by its wallet, else by network, program and funding (cost.md 14). */
const variantOfPayment = ({ network, program, funding, paymentMethod }: PricedPayment): string => {
  const name = networkOf(network)
  const method = paymentMethod.toLowerCase()
  if (method.includes('apple')) return `${name}_applepay`
  if (method.includes('google')) return `${name}_googlepay`
  return (name + program + funding).toLowerCase().replace(/\s+/g, '')
}

/** Looks the texts of a payment up, once for all gateways. `product`: that of its card, undefined when unknown. */
export const numberedPayment = (names: ModelNames, payment: PricedPayment, product: string | undefined): NumberedPayment => ({
  network: payment.network.trim() === '' ? UNKNOWN : names.networks.of(networkOf(payment.network)),
  variant: names.variants.of(variantOfPayment(payment)),
  funding: names.fundings.of(payment.funding.toLowerCase()),
  issuer: names.issuers.of(issuerCodeOf(payment.issuerCountry)),
  blankIssuer: names.issuers.of(''),
  region: names.regions.of(regionOf(payment.issuerCountry)),
  blankRegion: names.regions.of(''),
  currency: names.currencies.of(payment.currency.toLowerCase()),
  product: names.products.of(product ?? ''),
})
