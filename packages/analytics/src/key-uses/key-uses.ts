import type { DocumentKey, DocumentProjection, ReadStore } from '@switchyard/kernel'
import { endedBy, keyPart, MINUTE_MS } from '../keys.ts'
import { KEY_USES_READ_MAX } from '../limits.ts'
import type { RecordedPayment } from '../recorded-payment.ts'

/** When an API key was used last. */
export interface KeyUse {
  readonly keyId: string
  /** Start of the minute, epoch milliseconds. */
  readonly lastUsedAt: number
}

const NO_KEYS: readonly DocumentKey[] = []

/** The last use of each API key, to the minute (platform.md 5). */
export const keyUses: DocumentProjection<KeyUse, RecordedPayment> = {
  name: 'key-uses-v1',
  endedBy,
  keysOf: ({ event: { type, data } }) =>
    type === 'ApiKeysUsed' ? data.keyIds.map((keyId) => [keyPart(data.merchantId), keyPart(keyId)]) : NO_KEYS,
  initialView: (key) => ({ keyId: String(key[1]), lastUsedAt: 0 }),
  project: (view, { event: { data } }) => {
    // What is told at the end of a minute happened in it.
    const usedAt = Math.floor((data.at - 1) / MINUTE_MS) * MINUTE_MS
    return usedAt > view.lastUsedAt ? { ...view, lastUsedAt: usedAt } : view
  },
}

/** The last uses of a merchant's keys that were ever used. */
export const readKeyUses = async (store: ReadStore, merchantId: string): Promise<readonly KeyUse[]> => {
  const query = { collection: keyUses.name, prefix: [keyPart(merchantId)], order: 'ascending', limit: KEY_USES_READ_MAX } as const
  return (await store.range<KeyUse>(query)).map(({ body }) => body)
}
