/** Draws in [0, 1). */
/** @typedef {() => number} Draw */

const GOLDEN_GAMMA = 0x9e3779b9
const STREAM_FACTOR = 0x85ebca6b
const UINT32_COUNT = 4294967296

/**
 * A small seeded generator (mulberry32). Every `stream` of a seed is independent of the others, so that the n-th payment is the
 * same whatever was drawn before it.
 *
 * @param {number} seed
 * @param {number} stream
 * @returns {Draw}
 */
export const drawsOf = (seed, stream) => {
  let state = (Math.imul(seed + 1, GOLDEN_GAMMA) ^ Math.imul(stream + 1, STREAM_FACTOR)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / UINT32_COUNT
  }
}

/**
 * One of the options, by weight; the weights add up to 1.
 *
 * @template {{ readonly weight: number }} T
 * @param {readonly T[]} options
 * @param {number} draw
 * @returns {T}
 */
export const weighted = (options, draw) => {
  let remaining = draw
  for (const option of options) {
    remaining -= option.weight
    if (remaining < 0) return option
  }
  const last = options.at(-1)
  if (last === undefined) throw new Error('nothing to choose from')
  return last
}
