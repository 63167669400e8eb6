/** The shape of settings: the first delay in seconds, then pairs of (seconds, how many). */
export interface ScheduleText {
  readonly start_after: number
  readonly frequencies: readonly (readonly [seconds: number, count: number])[]
}

/** Delays before each automatic retry in seconds, the first from the chain's creation, later ones from the attempt before. */
export type RetrySchedule = readonly number[]

/** Automatic retries that a schedule has at most. */
export const SCHEDULE_STEPS_MAX = 32

/** Longest delay of one step. */
export const STEP_SECONDS_MAX = 86_400

/** What is wrong with a schedule, or nothing: 1 to 32 steps of 1 to 86,400 whole seconds. */
export const scheduleFault = ({ start_after, frequencies }: ScheduleText): string | undefined => {
  const isStep = (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 1 && seconds <= STEP_SECONDS_MAX
  if (!isStep(start_after)) return `start_after must be a whole number from 1 to ${STEP_SECONDS_MAX}`
  const wrong = frequencies.findIndex(([seconds, count]) => !isStep(seconds) || !Number.isInteger(count) || count < 1)
  if (wrong !== -1) return `frequencies[${wrong}] must be a pair of 1 to ${STEP_SECONDS_MAX} seconds and how many times, at least 1`
  const steps = frequencies.reduce((sum, [, count]) => sum + count, 1)
  return steps > SCHEDULE_STEPS_MAX ? `the schedule must have at most ${SCHEDULE_STEPS_MAX} steps, it has ${steps}` : undefined
}

/** The delays that a faultless {@link ScheduleText} stands for, one by one. */
export const scheduleOf = ({ start_after, frequencies }: ScheduleText): RetrySchedule => [
  start_after,
  ...frequencies.flatMap(([seconds, count]) => Array.from({ length: count }, () => seconds)),
]

/** 16 automatic retries in 24 hours and one minute. */
export const DEFAULT_SCHEDULE: RetrySchedule = scheduleOf({
  start_after: 60,
  frequencies: [
    [300, 2],
    [600, 5],
    [3600, 5],
    [21_600, 3],
  ],
})
