import type { Channel } from '../reports/canonical-row.ts'
import type { Band } from '../statistics/band.ts'
import type { CategoryCount } from './cost-model.ts'
import type { ModelNames, NumberedPayment } from './model-names.ts'
import { ANY, NOT_FOUND, TupleIndex, UNKNOWN } from './tuple-index.ts'

/** Payments that a guess needs. */
const CATEGORY_SUPPORT_MIN = 20

const WIDTH = 7
/** Places in the key of a cluster. */
const ISSUER = 4
const CATEGORY = 6
/** Bands become numbers above {@link ANY}. */
const BAND_OFFSET = 1000
const CHANNELS: Readonly<Record<Channel, number>> = { pos: 1, ecom: 2 }

/** Which parts of a key a level keeps, first to last: variant, funding, issuer, channel, band; network always (cost.md 14). */
const LEVELS: readonly (readonly boolean[])[] = ['v.icb', 'v.ic.', 'v..cb', 'v.i.b', 'v.i..', '.ficb', '.f.cb', '.f..b', '.f...'].map(
  (level) => [true, true, ...Array.from(level, (part) => part !== '.')],
)

interface Guess {
  readonly key: readonly number[]
  readonly counts: Map<number, number>
}

const keyAt = (level: readonly boolean[], parts: readonly number[]): readonly number[] =>
  parts.map((part, index) => (level[index] ? part : ANY))

const bestOf = (names: ModelNames, counts: ReadonlyMap<number, number>): number => {
  let best = UNKNOWN
  let bestCount = 0
  for (const [category, count] of counts) {
    const isBetter = count > bestCount || (count === bestCount && names.categories.textOf(category) < names.categories.textOf(best))
    if (!isBetter) continue
    best = category
    bestCount = count
  }
  return best
}

/** The connector, network, variant, funding, issuer, channel and band of payments, and their category. */
const partsOf = (names: ModelNames, count: CategoryCount): { readonly parts: readonly number[]; readonly category: number } => {
  const cluster = names.addCluster({ ...count, currency: '' })
  return {
    parts: [...cluster.slice(0, ISSUER + 1), CHANNELS[count.channel], count.band + BAND_OFFSET],
    category: cluster[CATEGORY] ?? UNKNOWN,
  }
}

const collectGuesses = (names: ModelNames, counted: readonly CategoryCount[]): readonly Guess[] => {
  const guesses = new Map<string, Guess>()
  for (const count of counted) {
    const { parts, category } = partsOf(names, count)
    for (const level of LEVELS) {
      const key = keyAt(level, parts)
      const guess = guesses.get(key.join()) ?? { key, counts: new Map<number, number>() }
      guess.counts.set(category, (guess.counts.get(category) ?? 0) + count.count)
      guesses.set(key.join(), guess)
    }
  }
  return [...guesses.values()]
}

const isSupported = ({ counts }: Guess): boolean => [...counts.values()].reduce((sum, count) => sum + count, 0) >= CATEGORY_SUPPORT_MIN

/** Guesses the interchange category of a payment, which is known after settlement only, by connector. */
export class CategoryIndex {
  readonly #index: TupleIndex
  readonly #scratch: number[] = new Array(WIDTH).fill(ANY)

  constructor(names: ModelNames, counted: readonly CategoryCount[]) {
    const supported = collectGuesses(names, counted).filter(isSupported)
    this.#index = new TupleIndex(
      WIDTH,
      supported.map(({ key, counts }) => [key, bestOf(names, counts)] as const),
    )
  }

  /** The category that payments like this one mostly had, of the most exact likeness that there is; {@link UNKNOWN} without one. */
  guess(connector: number, payment: NumberedPayment, channel: Channel, band: Band): number {
    const parts = [connector, payment.network, payment.variant, payment.funding, payment.issuer, CHANNELS[channel], band + BAND_OFFSET]
    for (const level of LEVELS) {
      for (let part = 0; part < WIDTH; part++) this.#scratch[part] = level[part] ? (parts[part] ?? UNKNOWN) : ANY
      const category = this.#index.get(this.#scratch)
      if (category !== NOT_FOUND) return category
    }
    return UNKNOWN
  }
}
