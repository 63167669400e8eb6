/** An answer that is ready to leave. */
export interface Departure {
  readonly leave: () => void
}

let waiting: Departure[] = []

const leaveAll = (): void => {
  const leaving = waiting
  waiting = []
  for (const departure of leaving) departure.leave()
}

/**
 * Lets the answers of one turn of the event loop leave together at its end: waking the receivers once for all of them costs
 * a fraction of waking them for each, which measured a third to a half of the time of a busy thread.
 */
export const leaveAtEndOfTurn = (departure: Departure): void => {
  if (waiting.push(departure) === 1) setImmediate(leaveAll)
}
