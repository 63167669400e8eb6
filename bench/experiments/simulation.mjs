// Experiments that were never run: payments drawn by chance, judged by the statistics that the service has.
import { alwaysValid, fixedTest, guardrailBreach, powerAt } from '@switchyard/analytics'

const LEVEL = 0.05
const MARGIN = 1

/** Chance that can be repeated: numbers in [0, 1) from a seed (mulberry32). */
const createChance = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const emptyArm = () => ({ resolved: 0, successes: 0, saved: null })

/** One experiment, a payment at a time; `look` is called after every `lookEvery` payments and ends it by answering true. */
const run = ({ baseRate, variantRate, share, payments, lookEvery }, chance, look) => {
  const samples = { control: emptyArm(), variant: emptyArm() }
  for (let payment = 1; payment <= payments; payment++) {
    const isVariant = chance() < share
    const arm = isVariant ? samples.variant : samples.control
    arm.resolved += 1
    if (chance() < (isVariant ? variantRate : baseRate)) arm.successes += 1
    if (payment % lookEvery === 0 && look(samples)) return samples
  }
  return samples
}

const isFixedSignificant = (samples) => (fixedTest(samples, MARGIN)?.pValue ?? 1) < LEVEL
const isAlwaysSignificant = (samples, tunedSize) => (alwaysValid(samples, tunedSize)?.pValue ?? 1) < LEVEL

/**
 * How often two equal arms are told apart when somebody looks again and again: by the fixed test, and by the always-valid
 * one. Rates are shares of the experiments.
 */
export const falsePositives = ({ experiments, seed, tunedSize, ...market }) => {
  const chance = createChance(seed)
  let fixed = 0
  let sequential = 0
  for (let index = 0; index < experiments; index++) {
    let isFixed = false
    let isSequential = false
    run({ ...market, variantRate: market.baseRate }, chance, (samples) => {
      isFixed ||= isFixedSignificant(samples)
      isSequential ||= isAlwaysSignificant(samples, tunedSize)
      return isFixed && isSequential
    })
    if (isFixed) fixed += 1
    if (isSequential) sequential += 1
  }
  return { fixedRate: fixed / experiments, sequentialRate: sequential / experiments }
}

/** How often a variant that loses just what is allowed, and no more, is stopped all the same. */
export const falseStops = ({ experiments, seed, tunedSize, guardrailThresholdPp, ...market }) => {
  const chance = createChance(seed)
  const rules = { minSampleSize: tunedSize, guardrailThresholdPp }
  let stops = 0
  for (let index = 0; index < experiments; index++) {
    let isStopped = false
    run({ ...market, variantRate: market.baseRate - guardrailThresholdPp / 100 }, chance, (samples) => {
      isStopped = guardrailBreach(samples, rules) !== null
      return isStopped
    })
    if (isStopped) stops += 1
  }
  return stops / experiments
}

/** The share of experiments in which the fixed test, read once at the end, finds an effect; beside the power as computed. */
export const foundEffects = ({ experiments, seed, effectPp, payments, ...market }) => {
  const chance = createChance(seed)
  const once = { ...market, payments, lookEvery: payments, variantRate: market.baseRate + effectPp / 100 }
  let found = 0
  for (let index = 0; index < experiments; index++) if (isFixedSignificant(run(once, chance, () => true))) found += 1
  const sizes = { control: payments * (1 - market.share), variant: payments * market.share }
  return { foundRate: found / experiments, computedPower: powerAt({ baseRate: market.baseRate, effectPp }, sizes) }
}

/** Payments until the always-valid test finds an effect, on average over those experiments in which it does. */
export const paymentsUntilFound = ({ experiments, seed, tunedSize, effectPp, ...market }) => {
  const chance = createChance(seed)
  let found = 0
  let total = 0
  for (let index = 0; index < experiments; index++) {
    let isFound = false
    const { control, variant } = run({ ...market, variantRate: market.baseRate + effectPp / 100 }, chance, (samples) => {
      isFound = isAlwaysSignificant(samples, tunedSize)
      return isFound
    })
    if (!isFound) continue
    found += 1
    total += control.resolved + variant.resolved
  }
  return { foundRate: found / experiments, meanPayments: found === 0 ? null : total / found }
}
