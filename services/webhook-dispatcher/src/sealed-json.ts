import { isOperatingError } from '@switchyard/kernel'
import type { LifecycleReport, MerchantCipher } from '@switchyard/runtime'

/** Encrypts texts and JSON values of a merchant. */
export interface SealedJson {
  readonly seal: (merchantId: string, value: unknown) => Promise<Uint8Array>
  /** Undefined when there is nothing, or the merchant's key was destroyed, or lost: operators hear of that. */
  readonly open: <Value>(merchantId: string, sealed: Uint8Array | null) => Promise<Value | undefined>
}

/** {@link SealedJson} of a cipher; what `seal` was given is what `open` gives back. */
export const createSealedJson = (cipher: Pick<MerchantCipher, 'seal' | 'open'>, report: Pick<LifecycleReport, 'failed'>): SealedJson => {
  /** One merchant's lost key is no reason to end a process that serves others. */
  const openAsKept = async (merchantId: string, sealed: Uint8Array): Promise<Uint8Array | undefined> => {
    try {
      return await cipher.open(merchantId, sealed)
    } catch (error) {
      if (!isOperatingError(error, 'RECORD_UNREADABLE')) throw error
      report.failed(`what was encrypted for the merchant ${merchantId} can't be read any more`, error)
      return undefined
    }
  }
  return {
    seal: (merchantId, value) => cipher.seal(merchantId, Buffer.from(JSON.stringify(value))),
    open: async (merchantId, sealed) => {
      const text = sealed === null ? undefined : await openAsKept(merchantId, sealed)
      return text === undefined ? undefined : JSON.parse(Buffer.from(text).toString())
    },
  }
}
