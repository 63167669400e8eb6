import type { ApiKeysUsed } from '@switchyard/events'
import type { UsedKey } from '@switchyard/http'
import type { NewId, Now } from '@switchyard/kernel'
import { type Part, type PaymentAppender, type Timers, within } from '@switchyard/runtime'

/** How often the use of keys is told, milliseconds: also how precise it is. */
const TELL_INTERVAL_MS = 60_000
/** Keys that are told together, in an event for each of their merchants: as many as a process has would fill the way of decisions, and hold up answers. */
const KEYS_AT_ONCE_MAX = 250
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

type NotedKey = Pick<UsedKey, 'merchantId' | 'keyId'>

/** The keys of one merchant that one event names. */
type Told = Pick<ApiKeysUsed['data'], 'merchantId' | 'keyIds'>

/** By merchant, each key once. */
const toldOf = (keys: readonly NotedKey[]): readonly Told[] => {
  const byMerchant = new Map<string, Set<string>>()
  for (const { merchantId, keyId } of keys) {
    const keyIds = byMerchant.get(merchantId)
    if (keyIds === undefined) byMerchant.set(merchantId, new Set([keyId]))
    else keyIds.add(keyId)
  }
  return Array.from(byMerchant, ([merchantId, keyIds]) => ({ merchantId, keyIds: [...keyIds] }))
}

/** The {@link KeyUses} of a process; the keys that are noted are those of the directory, so there are no more of them. */
export const createKeyUses = ({ appender, timers, now, newId }: KeyUsesDependencies): KeyUses => {
  /** A list: among many merchants a map by merchant would be one more place in memory to wait for. */
  let used: NotedKey[] = []
  /** What was noted in this round is in the list. */
  let round = 1
  let cancel: (() => void) | undefined
  let telling: Promise<void> | undefined

  const eventOf = (told: Told, at: number): ApiKeysUsed => ({ type: 'ApiKeysUsed', data: { ...told, requestId: newId(), at } })
  const isTaken = (keys: readonly NotedKey[], at: number): Promise<boolean> =>
    appender.appendAll(toldOf(keys).map((told) => eventOf(told, at))).then(
      () => true,
      () => false,
    )

  const tell = async (at: number): Promise<void> => {
    const keys = used
    used = []
    round += 1
    let takenCount = 0
    while (takenCount < keys.length && (await isTaken(keys.slice(takenCount, takenCount + KEYS_AT_ONCE_MAX), at)))
      takenCount += KEYS_AT_ONCE_MAX
    // Once each: while the log is away, keys are noted again in every round.
    for (const { merchantId, keyIds } of toldOf(keys.slice(takenCount))) for (const keyId of keyIds) used.push({ merchantId, keyId })
  }

  /** At the full minutes of the clock, so that the minute that is told is the one in which it happened. */
  const tellLater = (): void => {
    cancel = timers.after(TELL_INTERVAL_MS - (now() % TELL_INTERVAL_MS), () => {
      // A timer ends a little beside it.
      const fullMinute = Math.round(now() / TELL_INTERVAL_MS) * TELL_INTERVAL_MS
      telling ??= tell(fullMinute).finally(() => {
        telling = undefined
      })
      tellLater()
    })
  }

  return {
    note: (key) => {
      if (key.notedInRound === round) return
      key.notedInRound = round
      used.push(key)
    },
    part: {
      name: 'use of keys',
      start: async () => tellLater(),
      stop: async () => {
        cancel?.()
        const told = (telling ?? Promise.resolve()).then(() => tell(now()))
        // What is not told by then is forgotten with the process.
        await within(timers, told, TELL_AT_END_MAX_MS, () => new Error('late')).catch(() => {})
      },
    },
  }
}
