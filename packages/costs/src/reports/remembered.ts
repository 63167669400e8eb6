import { detached } from './detached.ts'
import { unitAt } from './unit-at.ts'

/** Texts that are remembered; all are forgotten when there are more. */
const REMEMBERED_COUNT_MAX = 2_000
/** Longest one, in characters. */
const REMEMBERED_LENGTH_MAX = 512

/** Those that were asked for lately: comparing a text takes less than looking it up, which has to read all of it first. */
const LATELY_COUNT = 256
const MULTIPLIER = 31

const latelySlotOf = (text: string): number => {
  const { length } = text
  let hash = length
  hash = hash * MULTIPLIER + unitAt(text, length - 1)
  hash = hash * MULTIPLIER + unitAt(text, length - 2)
  hash = hash * MULTIPLIER + unitAt(text, length >> 1)
  return hash & (LATELY_COUNT - 1)
}

/** What a text means, worked out once while it is remembered: dates and details of a report are the same again and again. */
export const remembering = <Value>(workOut: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>()
  const lately: ({ readonly text: string; readonly value: Value } | undefined)[] = new Array(LATELY_COUNT).fill(undefined)
  const look = (text: string): Value => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = workOut(text)
    if (known.size >= REMEMBERED_COUNT_MAX) known.clear()
    known.set(detached(text), value)
    return value
  }
  return (text) => {
    if (text.length > REMEMBERED_LENGTH_MAX) return workOut(text)
    const slot = latelySlotOf(text)
    const found = lately[slot]
    if (found !== undefined && found.text === text) return found.value
    const value = look(text)
    lately[slot] = { text: detached(text), value }
    return value
  }
}
