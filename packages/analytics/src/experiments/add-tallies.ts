import { addApprovedCosts, addArmCosts } from './arm-costs.ts'
import type { ApprovedTally, ArmCounts, ArmTally, CurrencyTally, ExperimentTally, SegmentTally } from './experiment-tallies.ts'

/** What one of two parts may lack. */
const addIfAny = <Sums>(a: Sums | undefined, b: Sums | undefined, add: (a: Sums, b: Sums) => Sums): Sums | undefined =>
  a === undefined || b === undefined ? (a ?? b) : add(a, b)

const addCounts = (a: ArmCounts, b: ArmCounts): ArmCounts => ({
  assigned: a.assigned + b.assigned,
  resolved: a.resolved + b.resolved,
  successes: a.successes + b.successes,
})

const addArms = (a: ArmTally, b: ArmTally): ArmTally => {
  const costs = addIfAny(a.costs, b.costs, addArmCosts)
  return {
    ...addCounts(a, b),
    firstSuccesses: a.firstSuccesses + b.firstSuccesses,
    latencyCount: a.latencyCount + b.latencyCount,
    latencySumMs: a.latencySumMs + b.latencySumMs,
    ...(costs && { costs }),
  }
}

const addApproved = (a: ApprovedTally, b: ApprovedTally): ApprovedTally => {
  const costs = addIfAny(a.costs, b.costs, addApprovedCosts)
  return { successes: a.successes + b.successes, amount: a.amount + b.amount, ...(costs && { costs }) }
}

/** One list in which what is alike is added up. */
const merged = <Item>(items: readonly Item[], isSame: (a: Item, b: Item) => boolean, add: (a: Item, b: Item) => Item): readonly Item[] =>
  items.reduce<readonly Item[]>((known, item) => {
    const index = known.findIndex((other) => isSame(other, item))
    const other = known[index]
    return other === undefined ? [...known, item] : known.with(index, add(other, item))
  }, [])

const addSegments = (a: SegmentTally, b: SegmentTally): SegmentTally => ({
  ...a,
  control: addCounts(a.control, b.control),
  variant: addCounts(a.variant, b.variant),
})

const addCurrencies = (a: CurrencyTally, b: CurrencyTally): CurrencyTally => ({
  ...a,
  control: addApproved(a.control, b.control),
  variant: addApproved(a.variant, b.variant),
})

const earliest = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : Math.min(a, b))

const addExclusions = (a: ExperimentTally['exclusions'], b: ExperimentTally['exclusions']): ExperimentTally['exclusions'] => {
  const sum: Record<string, number> = { ...a }
  for (const [reason, count] of Object.entries(b)) sum[reason] = (sum[reason] ?? 0) + count
  return sum
}

/** Two disjoint parts of an experiment together; of the first the names. */
export const addTallies = (a: ExperimentTally, b: ExperimentTally): ExperimentTally => ({
  ...a,
  firstAssignedMs: earliest(a.firstAssignedMs, b.firstAssignedMs),
  control: addArms(a.control, b.control),
  variant: addArms(a.variant, b.variant),
  segments: merged([...a.segments, ...b.segments], (x, y) => x.dimension === y.dimension && x.value === y.value, addSegments),
  currencies: merged([...a.currencies, ...b.currencies], (x, y) => x.currency === y.currency, addCurrencies),
  exclusions: addExclusions(a.exclusions, b.exclusions),
})
