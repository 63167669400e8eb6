import { unitInterval } from '@switchyard/kernel'
import type { SettledPayment } from '../reports/canonical-row.ts'
import { contributionOf, paymentRow } from '../statistics/sample-rows.fixture.ts'
import { statisticsOf } from '../statistics/statistics.ts'
import { fitAccount } from './fit-account.ts'
import type { FittedCluster } from './fitted-cluster.ts'

/** Values and fees of the worked example (cost.md 17.1). */
export const FIVE: readonly (readonly [number, number])[] = [
  [20, 0.62],
  [50, 1.14],
  [100, 2.06],
  [250, 4.74],
  [800, 14.66],
]

/** The pairs so many times. */
export const times = <Value>(count: number, values: readonly Value[]): readonly Value[] =>
  Array.from({ length: count }, () => values).flat()

/** Rows of pairs of value and fee. */
export const rowsOfPairs = (
  pairs: readonly (readonly [number, number])[],
  changes: Partial<SettledPayment> = {},
): readonly SettledPayment[] => pairs.map(([gross, fee]) => paymentRow(gross, fee, changes))

/** What is learned from rows alone. */
export const fitRows = (rows: readonly SettledPayment[]): readonly FittedCluster[] => fitAccount(statisticsOf([contributionOf(1, rows)]))

/** The same numbers on every run, evenly from 0 to 1. */
export const numbersFrom = (seed: number): (() => number) => {
  let drawn = 0
  return () => unitInterval(String(seed), String(drawn++))
}
