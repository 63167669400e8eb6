import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** Up to so many cores a machine is small. */
const SMALL_CORE_COUNT = 2

/**
 * On a small machine the threads that help to collect young garbage take their time from the thread that answers: collecting
 * alone takes no longer (3.4 ms instead of 3.6) and saves 5 to 10 us of processor time a decision.
 */
export const adaptToSmallMachine = (): void => {
  if (availableParallelism() <= SMALL_CORE_COUNT) setFlagsFromString('--no-parallel-scavenge')
}
