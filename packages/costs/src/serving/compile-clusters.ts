import type { Fee, FittedCluster } from '../fit/fitted-cluster.ts'
import type { AddOn, LearnedAccount } from './cost-model.ts'
import { regionOf } from './countries.ts'
import { type CurveTable, curveTableOf } from './curves.ts'
import type { ModelNames } from './model-names.ts'
import { blend, curveOfTiers, flatCurve, type PriceCurve, raise, type WeightedCurve } from './price-curve.ts'
import { ANY, TupleBuilder, type TupleTable } from './tuple-index.ts'

/** Numbers of a cluster's key: those of people's key and the card product. */
export const CLUSTER_WIDTH = 8
export const VARIANT = 2
export const PRODUCT = 7
/** Connector, network, funding, currency and region. */
export const REGION_WIDTH = 5

/** Learned costs by key; the place of a key is the number of its curve. */
export interface CurvesByKey {
  readonly keys: TupleTable
  readonly curves: CurveTable
}

/** What members of one key cost together: lines as sums, which most clusters are, and curves one by one. */
class Pool {
  lineCount = 0
  onlyLine: Fee | undefined
  pctBps = 0
  fixed = 0
  weight = 0
  readonly ladders: WeightedCurve[] = []

  addLine(fee: Fee, weight: number): void {
    this.lineCount += 1
    this.onlyLine = this.lineCount === 1 ? fee : undefined
    this.pctBps += fee.pctBps * weight
    this.fixed += fee.fixed * weight
    this.weight += weight
  }

  get line(): WeightedCurve | undefined {
    if (this.lineCount === 0) return undefined
    const fee = this.onlyLine ?? { pctBps: this.pctBps / this.weight, fixed: this.fixed / this.weight }
    return { curve: flatCurve(fee), weight: this.weight }
  }

  /** Lines of all accounts together, and of ladders the one with most value, which comes first. */
  get members(): readonly WeightedCurve[] {
    const ladder = this.ladders.reduce<WeightedCurve | undefined>(
      (most, one) => (most && most.weight >= one.weight ? most : one),
      undefined,
    )
    return [ladder, this.line].filter((member) => member !== undefined)
  }

  get blended(): PriceCurve {
    const { line } = this
    return line && this.ladders.length === 0 ? line.curve : blend(line ? [...this.ladders, line] : this.ladders)
  }
}

/** Pools by key. */
class Pools {
  readonly keys: TupleBuilder
  readonly #pools: Pool[] = []

  constructor(width: number, expectedCount = 0) {
    this.keys = new TupleBuilder(width, expectedCount)
  }

  at(key: ArrayLike<number>): Pool {
    const place = this.keys.add(key)
    const known = this.#pools[place]
    if (known) return known
    const pool = new Pool()
    this.#pools[place] = pool
    return pool
  }

  get all(): readonly Pool[] {
    return this.#pools
  }
}

const NO_ADDITION: Fee = { pctBps: 0, fixed: 0 }

const additionTo = (currency: string, addOn: AddOn | null): Fee => {
  if (addOn === null) return NO_ADDITION
  return { pctBps: addOn.pctBps, fixed: addOn.currency.toLowerCase() === currency.toLowerCase() ? addOn.fixed : 0 }
}

const sumOfFees = (one: Fee, other: Fee): Fee => ({ pctBps: one.pctBps + other.pctBps, fixed: one.fixed + other.fixed })

const putMembers = (pool: Pool, members: readonly WeightedCurve[], isLadder: (member: WeightedCurve) => boolean): void => {
  for (const member of members) {
    const [fee] = member.curve.fees
    if (isLadder(member)) pool.ladders.push(member)
    else if (fee) pool.addLine(fee, member.weight)
  }
}

const isLadder = ({ curve }: WeightedCurve): boolean => curve.starts.length > 0

/** The blends over card products and over variants, behind the clusters themselves. */
const withBlends = (clusters: Pools): CurvesByKey => {
  const curves: PriceCurve[] = []
  const blends = new Pools(CLUSTER_WIDTH, clusters.all.length)
  const key: number[] = new Array(CLUSTER_WIDTH).fill(ANY)
  const keys = new TupleBuilder(CLUSTER_WIDTH, 2 * clusters.all.length)
  clusters.all.forEach((pool, place) => {
    const { members } = pool
    const [first] = members
    for (let part = 0; part < CLUSTER_WIDTH; part++) key[part] = clusters.keys.partOf(place, part)
    if (first) curves[keys.add(key)] = first.curve
    key[PRODUCT] = ANY
    putMembers(blends.at(key), members, isLadder)
    key[VARIANT] = ANY
    putMembers(blends.at(key), members, isLadder)
  })
  blends.all.forEach((pool, place) => {
    for (let part = 0; part < CLUSTER_WIDTH; part++) key[part] = blends.keys.partOf(place, part)
    curves[keys.add(key)] = pool.blended
  })
  return { keys: keys.finish(), curves: curveTableOf(curves) }
}

const addCluster = (pool: Pool, { fee, tiers, verdict, gross }: FittedCluster, addition: Fee): Fee | undefined => {
  if (verdict === 'GOOD' && fee !== null) {
    const raised = sumOfFees(fee, addition)
    pool.addLine(raised, gross)
    return raised
  }
  const curve = curveOfTiers(tiers)
  if (curve) pool.ladders.push({ curve: raise(curve, addition), weight: gross })
  return undefined
}

const isServed = ({ gross, verdict, fee, tiers }: FittedCluster): boolean =>
  gross > 0 && ((verdict === 'GOOD' && fee !== null) || curveOfTiers(tiers) !== undefined)

/** All learned costs of a model: clusters by account, invoices added, blends made in advance (cost.md 14, rungs 3 to 6). */
export const compileClusters = (
  names: ModelNames,
  accounts: readonly LearnedAccount[],
): { readonly clusters: CurvesByKey; readonly regions: CurvesByKey } => {
  const clusterCount = accounts.reduce((count, { clusters: fitted }) => count + fitted.length, 0)
  const clusters = new Pools(CLUSTER_WIDTH, clusterCount)
  const regions = new Pools(REGION_WIDTH)
  const key: number[] = new Array(CLUSTER_WIDTH).fill(ANY)
  const regionKey: number[] = new Array(REGION_WIDTH).fill(ANY)
  for (const { connector, clusters: fitted, addOn } of accounts) {
    for (const one of fitted) {
      if (!isServed(one)) continue
      const { cardProduct, currency, issuerCountry } = one.cluster
      names.putCluster(key, { connector, ...one.cluster })
      key[PRODUCT] = names.products.add(cardProduct)
      const line = addCluster(clusters.at(key), one, additionTo(currency, addOn))
      if (line === undefined) continue
      const [connectorId = ANY, network = ANY, , funding = ANY, , currencyId = ANY] = key
      regionKey[0] = connectorId
      regionKey[1] = network
      regionKey[2] = funding
      regionKey[3] = currencyId
      regionKey[4] = names.regions.add(regionOf(issuerCountry))
      regions.at(regionKey).addLine(line, one.gross)
    }
  }
  return {
    clusters: withBlends(clusters),
    regions: { keys: regions.keys.finish(), curves: curveTableOf(regions.all.map(({ blended }) => blended)) },
  }
}
