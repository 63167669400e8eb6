import { BEFORE_FIRST, type Positions } from '@switchyard/kernel'

const BAR_LENGTH = 30

/** Records up to these positions, as far as offsets are dense. */
const countUpTo = (positions: Positions): number => [...positions.values()].reduce((sum, offset) => sum + offset - BEFORE_FIRST, 0)

const duration = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3_600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}

const number = (value: number): string => Math.round(value).toLocaleString('en')

/** Says how far a replay has come, how fast it is, and how long it will take at that rate. `nowMs` is any clock, milliseconds. */
export const createProgressBar = (
  what: string,
  begun: Positions,
  nowMs: () => number,
): ((positions: Positions, ends: Positions) => string) => {
  const startedMs = nowMs()
  const begunCount = countUpTo(begun)
  return (positions, ends) => {
    const total = countUpTo(ends)
    const done = Math.min(countUpTo(new Map([...begun, ...positions])), total)
    const share = total === 0 ? 1 : done / total
    const filled = Math.floor(share * BAR_LENGTH)
    const perSecond = (done - begunCount) / Math.max(0.001, (nowMs() - startedMs) / 1_000)
    const left = done >= total ? 'done' : perSecond > 0 ? `${duration((total - done) / perSecond)} left` : 'just begun'
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_LENGTH - filled)}]`
    return `${what} ${bar} ${(share * 100).toFixed(1)} %  ${number(done)} of ${number(total)} records  ${number(perSecond)}/s  ${left}`
  }
}
