import { PRODUCT_BIN_DIGITS } from '../statistics/bin-rates.ts'
import { TupleBuilder, type TupleTable } from '../tuple-index.ts'
import { compileCategories } from './compile-categories.ts'
import { compileClusters } from './compile-clusters.ts'
import type { LearnedModel } from './cost-model.ts'
import type { GuessTable } from './guesses.ts'
import { ModelNames, type ModelTexts } from './model-names.ts'
import { ModelledClusters } from './modelled-clusters.ts'
import type { CurvesByKey } from './prices.ts'

/** All that is learned of a merchant's costs, ready for lookups: plain data, which one thread can make and hand over to another. */
export interface LearnedCosts {
  readonly texts: ModelTexts
  readonly clusters: CurvesByKey
  readonly regions: CurvesByKey
  readonly guesses: GuessTable
  /** First digits of cards, each a key of one number. */
  readonly bins: TupleTable
  /** Number of the card product, by the place of its bin. */
  readonly productOfBin: Int32Array
}

const compileBins = (names: ModelNames, productByBin: ReadonlyMap<string, string>) => {
  const bins = new TupleBuilder(1)
  const products: number[] = []
  for (const [bin, product] of productByBin)
    if (bin.length === PRODUCT_BIN_DIGITS) products[bins.add([Number(bin)])] = names.products.add(product)
  return { bins: bins.finish(), productOfBin: Int32Array.from(products) }
}

/** Compiles what is learned (cost.md 14). Takes half a second for 100,000 clusters: not for a thread that answers. */
export const compileLearnedCosts = ({ accounts, productByBin }: LearnedModel): LearnedCosts => {
  const names = new ModelNames()
  // What reports leave blank has a number, even if none of them does.
  names.categories.add('')
  names.products.add('')
  const modelled = new ModelledClusters(names, accounts)
  const { clusters, regions } = compileClusters(modelled)
  const guesses = compileCategories(names, modelled)
  const bins = compileBins(names, productByBin)
  return { texts: names.texts, clusters, regions, guesses, ...bins }
}

const buffersOfCurves = ({ keys, curves }: CurvesByKey): readonly ArrayBufferLike[] => [
  keys.keys.buffer,
  keys.slots.buffer,
  curves.pieceFrom.buffer,
  curves.starts.buffer,
  curves.pctBps.buffer,
  curves.fixed.buffer,
]

const isOwned = (buffer: ArrayBufferLike): buffer is ArrayBuffer => !(buffer instanceof SharedArrayBuffer)

/** The memory of compiled costs, to be handed over instead of copied. */
export const buffersOf = ({ clusters, regions, guesses, bins, productOfBin }: LearnedCosts): readonly ArrayBuffer[] =>
  [
    ...buffersOfCurves(clusters),
    ...buffersOfCurves(regions),
    guesses.likenesses.keys.buffer,
    guesses.likenesses.slots.buffer,
    guesses.keys.keys.buffer,
    guesses.keys.slots.buffer,
    guesses.categories.buffer,
    bins.keys.buffer,
    bins.slots.buffer,
    productOfBin.buffer,
  ].filter(isOwned)
