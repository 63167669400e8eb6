import { TIMELINE_ENTRIES_MAX, TIMELINE_ENTRIES_UNMEASURED, TIMELINE_TEXT_LENGTH_MAX } from '../limits.ts'
import type { TimelineEntry } from './timeline-entry.ts'

/** An entry never changes, and is measured again with each one that comes behind it. */
const lengths = new WeakMap<TimelineEntry, number>()

const lengthOf = (entry: TimelineEntry): number => {
  const known = lengths.get(entry)
  if (known !== undefined) return known
  const { length } = JSON.stringify(entry)
  lengths.set(entry, length)
  return length
}

/** The newest entries that have room together. */
const fitting = (entries: readonly TimelineEntry[]): readonly TimelineEntry[] => {
  let room = TIMELINE_TEXT_LENGTH_MAX
  const tooOld = entries.findLastIndex((entry) => {
    room -= lengthOf(entry)
    return room < 0
  })
  return tooOld < 0 ? entries : entries.slice(tooOld + 1)
}

/** The entries with one more: the newest, bounded by their number and by their size. So few that they always have room are not measured. */
export const withNewest = (entries: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] => {
  const kept = entries.length < TIMELINE_ENTRIES_MAX ? [...entries, entry] : [...entries.slice(1 - TIMELINE_ENTRIES_MAX), entry]
  return kept.length <= TIMELINE_ENTRIES_UNMEASURED ? kept : fitting(kept)
}
