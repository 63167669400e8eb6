import { detached } from './detached.ts'

/** Texts that are remembered; all are forgotten when there are more. */
const REMEMBERED_COUNT_MAX = 2_000
/** Longest one, in characters. */
const REMEMBERED_LENGTH_MAX = 512

/** What a text means, worked out once while it is remembered: dates and details of a report are the same again and again. */
export const remembering = <Value>(workOut: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = workOut(text)
    if (text.length > REMEMBERED_LENGTH_MAX) return value
    if (known.size >= REMEMBERED_COUNT_MAX) known.clear()
    known.set(detached(text), value)
    return value
  }
}
