import { platformError, type RouteReply } from '@switchyard/http'
import { RUN_RETRY_AFTER_SECONDS } from '../limits.ts'

/** Tells proxies to pass progress on as it comes. */
const UNBUFFERED = { 'x-accel-buffering': 'no' }

/**
 * Answers with the lines of a run as they come, `countMax` runs at a time: more are refused. A run counts from its answer on until it
 * ends or its client leaves. `runs` says in the refusal what they are.
 */
export const createStreamedRuns = (runs: string, countMax: number): ((lines: AsyncIterable<string>) => RouteReply) => {
  let inFlightCount = 0
  const busy: RouteReply = {
    ...platformError(503, 'TE_00', `As many ${runs} as may run at the same time are under way; please send it again later`),
    headers: { 'retry-after': String(RUN_RETRY_AFTER_SECONDS) },
  }

  return (lines) => {
    if (inFlightCount >= countMax) return busy
    inFlightCount += 1
    let isBegun = false
    const counted = async function* (): AsyncGenerator<string> {
      isBegun = true
      try {
        yield* lines
      } finally {
        inFlightCount -= 1
      }
    }
    const onSettled = (): void => {
      // Whose client left before the first line has no end of its own.
      if (!isBegun) inFlightCount -= 1
    }
    return { status: 200, headers: UNBUFFERED, pieces: counted(), onSettled }
  }
}
