import type { MerchantCipher } from '@switchyard/runtime'

/** Encrypts texts and JSON values of a merchant. */
export interface SealedJson {
  readonly seal: (merchantId: string, value: unknown) => Promise<Uint8Array>
  /** Undefined when there is nothing, or the merchant's key was destroyed. */
  readonly open: <Value>(merchantId: string, sealed: Uint8Array | null) => Promise<Value | undefined>
}

/** {@link SealedJson} of a cipher; what `seal` was given is what `open` gives back. */
export const createSealedJson = (cipher: Pick<MerchantCipher, 'seal' | 'open'>): SealedJson => ({
  seal: (merchantId, value) => cipher.seal(merchantId, Buffer.from(JSON.stringify(value))),
  open: async (merchantId, sealed) => {
    const text = sealed === null ? undefined : await cipher.open(merchantId, sealed)
    return text === undefined ? undefined : JSON.parse(Buffer.from(text).toString())
  },
})
