/**
 * One figure of a benchmark. A ratio relates to the reference of the same run, other figures are of this machine. `point` tells which
 * curve it is on: the axis, where on it, and the line.
 */
export const metric = (benchmark, name, { unit, better, isRatio = false, target = null, point }, { median, min, max }) => ({
  benchmark,
  name,
  unit,
  better,
  isRatio,
  target,
  median,
  min,
  max,
  ...(point === undefined ? {} : { point }),
})

export const RATE = { unit: '/s', better: 'higher', isRatio: false }
export const TIME = { unit: 'ms', better: 'lower', isRatio: false }
