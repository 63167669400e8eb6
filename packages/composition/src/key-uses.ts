import type { ApiKeysUsed } from '@switchyard/events'
import type { UsedKey } from '@switchyard/http'
import type { NewId, Now } from '@switchyard/kernel'
import { type Part, type PaymentAppender, type Timers, within } from '@switchyard/runtime'

/** How often the use of keys is told, milliseconds: also how precise it is. */
const TELL_INTERVAL_MS = 60_000
/** Keys that one event names. */
const KEYS_PER_EVENT_MAX = 1_000
/** Events that are told together: as many merchants as a process has would fill the way of decisions, and hold up answers. */
const EVENTS_AT_ONCE_MAX = 250
/** How long the end waits for what was used last to be told, milliseconds: decisions that wait are still to be written behind it. */
export const TELL_AT_END_MAX_MS = 3_000

/** What {@link createKeyUses} needs. */
export interface KeyUsesDependencies {
  readonly appender: Pick<PaymentAppender, 'appendAll'>
  readonly timers: Timers
  readonly now: Now
  readonly newId: NewId
}

/** Tells once a minute which API keys were used. What the log does not take is told a minute later. */
export interface KeyUses {
  /** Notes the use of a key: all that a request pays for it. */
  readonly note: (key: UsedKey) => void
  readonly part: Part
}

/** Ids of keys by merchant. */
type Used = Map<string, Set<string>>

/** The keys of one merchant that one event names. */
type Told = Pick<ApiKeysUsed['data'], 'merchantId' | 'keyIds'>

const add = (used: Used, { merchantId, keyId }: Pick<UsedKey, 'merchantId' | 'keyId'>): void => {
  const keyIds = used.get(merchantId)
  if (keyIds === undefined) used.set(merchantId, new Set([keyId]))
  else keyIds.add(keyId)
}

/** What is told at once, one after another: so many events at most, or as many keys as one event may name and those of its last event. */
function* groupsOf(used: Used): Generator<readonly Told[]> {
  let group: Told[] = []
  let keyCount = 0
  for (const [merchantId, all] of used) {
    for (let start = 0; start < all.size; start += KEYS_PER_EVENT_MAX) {
      const keyIds = [...all].slice(start, start + KEYS_PER_EVENT_MAX)
      keyCount += keyIds.length
      if (group.push({ merchantId, keyIds }) < EVENTS_AT_ONCE_MAX && keyCount < KEYS_PER_EVENT_MAX) continue
      yield group
      group = []
      keyCount = 0
    }
  }
  if (group.length > 0) yield group
}

/** The {@link KeyUses} of a process; the keys that are noted are those of the directory, so there are no more of them. */
export const createKeyUses = ({ appender, timers, now, newId }: KeyUsesDependencies): KeyUses => {
  let used: Used = new Map()
  /** What was noted in this round needs no look at the map. */
  let round = 1
  let cancel: (() => void) | undefined
  let telling: Promise<void> | undefined

  const eventOf = (told: Told): ApiKeysUsed => ({ type: 'ApiKeysUsed', data: { ...told, requestId: newId(), at: now() } })
  const isTaken = (group: readonly Told[]): Promise<boolean> =>
    appender.appendAll(group.map(eventOf)).then(
      () => true,
      () => false,
    )
  const putBack = (group: readonly Told[]): void => {
    for (const { merchantId, keyIds } of group) for (const keyId of keyIds) add(used, { merchantId, keyId })
  }

  const tell = async (): Promise<void> => {
    const groups = groupsOf(used)
    used = new Map()
    round += 1
    let isTaking = true
    for (const group of groups) {
      isTaking &&= await isTaken(group)
      if (!isTaking) putBack(group)
    }
  }

  /** At the full minutes of the clock, so that the minute that is told is the one in which it happened. */
  const tellLater = (): void => {
    cancel = timers.after(TELL_INTERVAL_MS - (now() % TELL_INTERVAL_MS), () => {
      telling ??= tell().finally(() => {
        telling = undefined
      })
      tellLater()
    })
  }

  return {
    note: (key) => {
      if (key.notedInRound === round) return
      key.notedInRound = round
      add(used, key)
    },
    part: {
      name: 'use of keys',
      start: async () => tellLater(),
      stop: async () => {
        cancel?.()
        const told = (telling ?? Promise.resolve()).then(tell)
        // What is not told by then is forgotten with the process.
        await within(timers, told, TELL_AT_END_MAX_MS, () => new Error('late')).catch(() => {})
      },
    },
  }
}
