import type { UsedKey } from '@switchyard/http'
import type { NewId, Now } from '@switchyard/kernel'
import type { Part, PaymentAppender, Timers } from '@switchyard/runtime'

/** How often the use of keys is told, milliseconds: also how precise it is. */
const TELL_INTERVAL_MS = 60_000
/** Keys that one event names. */
const KEYS_PER_EVENT_MAX = 1_000

/** What {@link createKeyUses} needs. */
export interface KeyUsesDependencies {
  readonly appender: Pick<PaymentAppender, 'enqueue'>
  readonly timers: Timers
  readonly now: Now
  readonly newId: NewId
}

/** Tells once a minute which API keys were used. */
export interface KeyUses {
  /** Notes the use of a key: all that a request pays for it. */
  readonly note: (key: UsedKey) => void
  readonly part: Part
}

/** The {@link KeyUses} of a process; the keys that are noted are those of the directory, so there are no more of them. */
export const createKeyUses = ({ appender, timers, now, newId }: KeyUsesDependencies): KeyUses => {
  /** Merchants by key id: the directory's records of a key change with it. */
  let used = new Map<string, string>()
  /** What was noted in this round needs no look at the map. */
  let round = 1
  let cancel: (() => void) | undefined

  const tell = (): void => {
    const byMerchant = new Map<string, string[]>()
    for (const [keyId, merchantId] of used) {
      const keyIds = byMerchant.get(merchantId)
      if (keyIds === undefined) byMerchant.set(merchantId, [keyId])
      else keyIds.push(keyId)
    }
    used = new Map()
    round += 1
    for (const [merchantId, keyIds] of byMerchant) {
      for (let i = 0; i < keyIds.length; i += KEYS_PER_EVENT_MAX) {
        const data = { merchantId, requestId: newId(), at: now(), keyIds: keyIds.slice(i, i + KEYS_PER_EVENT_MAX) }
        appender.enqueue({ type: 'ApiKeysUsed', data })
      }
    }
  }

  /** At the full minutes of the clock, so that the minute that is told is the one in which it happened. */
  const tellLater = (): void => {
    cancel = timers.after(TELL_INTERVAL_MS - (now() % TELL_INTERVAL_MS), () => {
      tell()
      tellLater()
    })
  }

  return {
    note: (key) => {
      if (key.notedInRound === round) return
      key.notedInRound = round
      used.set(key.keyId, key.merchantId)
    },
    part: {
      name: 'use of keys',
      start: async () => tellLater(),
      stop: async () => {
        cancel?.()
        tell()
      },
    },
  }
}
