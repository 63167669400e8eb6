import type { Fee, FittedCluster } from '../fit/fitted-cluster.ts'
import type { AddOn, LearnedAccount } from './cost-model.ts'
import { regionOf } from './countries.ts'
import type { ModelNames, NumberedPayment } from './model-names.ts'
import { blend, curveOfTiers, flatCurve, type PriceCurve, raise, type WeightedCurve } from './price-curve.ts'
import { ANY, NOT_FOUND, TupleIndex } from './tuple-index.ts'

const WIDTH = 8
const COARSE_WIDTH = 5
const VARIANT = 2
const PRODUCT = 7

/** How exactly a learned cost fits a payment. */
export type LearnedRung = 'exact' | 'products' | 'variants' | 'region'

interface Group {
  readonly key: readonly number[]
  readonly lines: WeightedCurve[]
  readonly ladders: WeightedCurve[]
}

/** Curves by keys of numbers, while they are collected. */
class Collected {
  readonly #groups: Map<string, Group> = new Map()

  at(key: readonly number[]): Group {
    const text = key.join()
    const known = this.#groups.get(text)
    if (known) return known
    const group = { key, lines: [], ladders: [] }
    this.#groups.set(text, group)
    return group
  }

  get groups(): readonly Group[] {
    return [...this.#groups.values()]
  }
}

const weightOf = (members: readonly WeightedCurve[]): number => members.reduce((sum, { weight }) => sum + weight, 0)

/** What a cluster is priced by: the lines of all accounts together, and of ladders the one with most value. */
const membersOf = ({ lines, ladders }: Group): readonly WeightedCurve[] => {
  const [ladder] = ladders.toSorted((one, other) => other.weight - one.weight)
  const line = lines.length > 0 ? [{ curve: blend(lines), weight: weightOf(lines) }] : []
  return ladder ? [ladder, ...line] : line
}

const NO_ADDITION: Fee = { pctBps: 0, fixed: 0 }

const additionTo = (currency: string, addOn: AddOn | null): Fee => {
  if (addOn === null) return NO_ADDITION
  return { pctBps: addOn.pctBps, fixed: addOn.currency.toLowerCase() === currency.toLowerCase() ? addOn.fixed : 0 }
}

const collectCluster = (collected: Collected, key: readonly number[], fitted: FittedCluster, addition: Fee): WeightedCurve | undefined => {
  if (fitted.gross <= 0) return undefined
  if (fitted.verdict === 'GOOD' && fitted.fee !== null) {
    const line = { curve: raise(flatCurve(fitted.fee), addition), weight: fitted.gross }
    collected.at(key).lines.push(line)
    return line
  }
  const curve = curveOfTiers(fitted.tiers)
  if (curve) collected.at(key).ladders.push({ curve: raise(curve, addition), weight: fitted.gross })
  return undefined
}

const withoutPart = (key: readonly number[], ...parts: readonly number[]): readonly number[] =>
  key.map((part, index) => (parts.includes(index) ? ANY : part))

/** All learned costs of a model: clusters by account, invoices added, blends made in advance. */
export class LearnedIndex {
  readonly #curves: PriceCurve[] = []
  readonly #index: TupleIndex
  readonly #coarse: TupleIndex
  readonly #scratch: number[] = new Array(WIDTH).fill(ANY)
  readonly #coarseScratch: number[] = new Array(COARSE_WIDTH).fill(ANY)

  constructor(names: ModelNames, accounts: readonly LearnedAccount[]) {
    const clusters = new Collected()
    const regions = new Collected()
    for (const { connector, clusters: fitted, addOn } of accounts) {
      for (const one of fitted) {
        const { cardProduct, currency, issuerCountry } = one.cluster
        const parts = names.addCluster({ connector, ...one.cluster })
        const line = collectCluster(clusters, [...parts, names.products.add(cardProduct)], one, additionTo(currency, addOn))
        const region = names.regions.add(regionOf(issuerCountry))
        const [connectorId = 0, network = 0, , funding = 0, , currencyId = 0] = parts
        if (line) regions.at([connectorId, network, funding, currencyId, region]).lines.push(line)
      }
    }
    this.#index = this.#indexOf(clusters)
    this.#coarse = new TupleIndex(
      COARSE_WIDTH,
      regions.groups.map((group) => [group.key, this.#keep(blend(group.lines))] as const),
    )
  }

  /** The curve of the payment's own cluster, or of those that differ in what is not known of it; undefined without one. */
  find(
    connector: number,
    payment: NumberedPayment,
    category: number,
  ): { readonly curve: PriceCurve; readonly rung: LearnedRung } | undefined {
    const { issuer, blankIssuer } = payment
    const ofIssuer = this.#findCluster(connector, payment, category, issuer)
    const found = ofIssuer ?? (issuer === blankIssuer ? undefined : this.#findCluster(connector, payment, category, blankIssuer))
    return found ?? this.#findRegion(connector, payment)
  }

  #findCluster(connector: number, payment: NumberedPayment, category: number, issuer: number) {
    const key = this.#scratch
    key[0] = connector
    key[1] = payment.network
    key[VARIANT] = payment.variant
    key[3] = payment.funding
    key[4] = issuer
    key[5] = payment.currency
    key[6] = category
    key[PRODUCT] = payment.product
    const exact = this.#at(this.#index.get(key), 'exact')
    if (exact) return exact
    key[PRODUCT] = ANY
    const products = this.#at(this.#index.get(key), 'products')
    if (products) return products
    key[VARIANT] = ANY
    return this.#at(this.#index.get(key), 'variants')
  }

  #findRegion(connector: number, { network, funding, currency, region, blankRegion }: NumberedPayment) {
    const key = this.#coarseScratch
    key[0] = connector
    key[1] = network
    key[2] = funding
    key[3] = currency
    key[4] = region
    const found = this.#at(this.#coarse.get(key), 'region')
    if (found) return found
    key[4] = blankRegion
    return this.#at(this.#coarse.get(key), 'region')
  }

  #at(place: number, rung: LearnedRung) {
    const curve = place === NOT_FOUND ? undefined : this.#curves[place]
    return curve && { curve, rung }
  }

  #keep(curve: PriceCurve): number {
    return this.#curves.push(curve) - 1
  }

  #indexOf(clusters: Collected): TupleIndex {
    const blends = new Collected()
    const exact = clusters.groups.flatMap((group) => {
      const members = membersOf(group)
      for (const key of [withoutPart(group.key, PRODUCT), withoutPart(group.key, VARIANT, PRODUCT)]) blends.at(key).lines.push(...members)
      const [first] = members
      return first ? [[group.key, this.#keep(first.curve)] as const] : []
    })
    return new TupleIndex(WIDTH, [...exact, ...blends.groups.map(({ key, lines }) => [key, this.#keep(blend(lines))] as const)])
  }
}
