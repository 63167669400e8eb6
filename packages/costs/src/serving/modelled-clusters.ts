import type { LearnedAccount } from './cost-model.ts'
import { regionOf } from './countries.ts'
import type { ModelNames } from './model-names.ts'
import { FIRST_ID } from './names.ts'
import { CURRENCY_PART, ISSUER_PART, type NumberedClusters, PART_COUNT } from './numbered-fit.ts'

/** Numbers of a cluster's key: its connector and its parts. */
export const CLUSTER_WIDTH: number = 1 + PART_COUNT

/** Something for each spelling, by its number. */
const bySpelling = (spellings: readonly string[], of: (spelling: string) => number): Float64Array => {
  const values = new Float64Array(FIRST_ID + spellings.length)
  for (const [index, spelling] of spellings.entries()) values[FIRST_ID + index] = of(spelling)
  return values
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** All clusters of a model in its numbers: what a spelling means is looked up once for all clusters that have it. */
export class ModelledClusters {
  readonly count: number
  /** {@link CLUSTER_WIDTH} numbers of each cluster. */
  readonly keys: Int32Array
  /** Number of the issuer's region of each. */
  readonly regions: Int32Array
  /** What invoices add to each. */
  readonly pctAdditions: Float64Array
  readonly fixedAdditions: Float64Array
  /** Where the clusters come from, each part with the number of its first cluster. */
  readonly parts: readonly (readonly [first: number, clusters: NumberedClusters])[]

  constructor(names: ModelNames, accounts: readonly LearnedAccount[]) {
    this.count = accounts.reduce((count, { fit }) => count + fit.clusterCount, 0)
    this.keys = new Int32Array(this.count * CLUSTER_WIDTH)
    this.regions = new Int32Array(this.count)
    this.pctAdditions = new Float64Array(this.count)
    this.fixedAdditions = new Float64Array(this.count)
    const parts: (readonly [number, NumberedClusters])[] = []
    let first = 0
    for (const account of accounts) {
      const add = this.#adderOf(names, account)
      for (const clusters of account.fit.chunks) {
        parts.push([first, clusters])
        for (let place = 0; place < clusters.count; place++) add(clusters, place, first + place)
        first += clusters.count
      }
    }
    this.parts = parts
  }

  /** Writes the key of a cluster into `key`. */
  putKey(key: number[], cluster: number): void {
    for (let part = 0; part < CLUSTER_WIDTH; part++) key[part] = this.keys[cluster * CLUSTER_WIDTH + part] ?? 0
  }

  #adderOf(
    names: ModelNames,
    { connector, fit, addOn }: LearnedAccount,
  ): (clusters: NumberedClusters, place: number, cluster: number) => void {
    const connectorNumber = names.connectors.add(connector.toLowerCase())
    const numbers = names.ofParts.map((numberOf, part) => bySpelling(fit.spellingsOf(part), numberOf))
    const regions = bySpelling(fit.spellingsOf(ISSUER_PART), (country) => names.regions.add(regionOf(country)))
    const additions = bySpelling(fit.currencies, (currency) => (addOn !== null && isSame(addOn.currency, currency) ? addOn.fixed : 0))
    return (clusters, place, cluster) => {
      const start = cluster * CLUSTER_WIDTH
      this.keys[start] = connectorNumber
      for (let part = 0; part < PART_COUNT; part++) this.keys[start + 1 + part] = numbers[part]?.[clusters.partOf(place, part)] ?? 0
      this.regions[cluster] = regions[clusters.partOf(place, ISSUER_PART)] ?? 0
      this.pctAdditions[cluster] = addOn?.pctBps ?? 0
      this.fixedAdditions[cluster] = additions[clusters.partOf(place, CURRENCY_PART)] ?? 0
    }
  }
}
