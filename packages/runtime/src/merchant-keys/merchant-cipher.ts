import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomFillSync } from 'node:crypto'
import { OperatingError } from '@switchyard/kernel'
import type { KeptKey, KeyVault } from './key-vault.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const NONCES_AT_ONCE = 256
const FORMAT = 1
/** Format, life of the merchant, nonce, tag. */
const LIFE_AT = 1
const NONCE_AT = 5
const TAG_AT: number = NONCE_AT + NONCE_BYTES
const TEXT_AT: number = TAG_AT + TAG_BYTES
/** Unwrapped keys that are kept at hand; beyond it the oldest ones leave. */
const KEYS_AT_HAND_MAX = 10_000

/** Encrypts what belongs to a merchant under a key of its own; a destroyed key makes it unreadable wherever it stands (law 10). */
export interface MerchantCipher {
  /** Creates the merchant's key at the first call. What is sealed after its key was destroyed is read by nobody. */
  readonly seal: (merchantId: string, text: Uint8Array) => Promise<Uint8Array>
  /**
   * Undefined when the key was destroyed. Throws `RECORD_UNREADABLE` when the bytes were tampered with, belong to another merchant, or were sealed
   * under a key that was lost: the one that was made in its place opens none of them.
   */
  readonly open: (merchantId: string, sealed: Uint8Array) => Promise<Uint8Array | undefined>
  /** Destroys the merchant's keys of all its lives before this one. */
  readonly destroyBefore: (merchantId: string, life: number) => Promise<void>
}

/** What {@link createMerchantCipher} needs. */
export interface MerchantCipherDependencies {
  readonly vault: KeyVault
  /** The deployment's secrets, newest first: that one wraps keys, the others still unwrap theirs. */
  readonly secrets: readonly [newest: string, ...old: readonly string[]]
  /** How often the merchant's id was registered. */
  readonly lifeOf: (merchantId: string) => number
}

/** Nonces from the cryptographic source, many at a call: each call takes as long as many bytes. */
const nonces = Buffer.alloc(NONCE_BYTES * NONCES_AT_ONCE)
let nonceAt = nonces.length
const takeNonce = (): Buffer => {
  if (nonceAt === nonces.length) {
    randomFillSync(nonces)
    nonceAt = 0
  }
  nonceAt += NONCE_BYTES
  return nonces.subarray(nonceAt - NONCE_BYTES, nonceAt)
}

const encrypt = (key: Uint8Array, life: number, text: Uint8Array, context: string): Uint8Array => {
  const head = Buffer.alloc(TEXT_AT)
  head[0] = FORMAT
  head.writeUInt32BE(life, LIFE_AT)
  takeNonce().copy(head, NONCE_AT)
  const cipher = createCipheriv(ALGORITHM, key, head.subarray(NONCE_AT, TAG_AT), { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([head, cipher.update(text), cipher.final()])
  cipher.getAuthTag().copy(sealed, TAG_AT)
  return sealed
}

const decrypt = (key: Uint8Array, sealed: Uint8Array, context: string): Uint8Array => {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(NONCE_AT, TAG_AT), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(TAG_AT, TEXT_AT))
  return Buffer.concat([decipher.update(sealed.subarray(TEXT_AT)), decipher.final()])
}

const masterOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, 'switchyard', 'data keys of merchants', KEY_BYTES))

const tryDecrypt = (key: Uint8Array, sealed: Uint8Array, context: string): Uint8Array | undefined => {
  try {
    return decrypt(key, sealed, context)
  } catch {
    return undefined
  }
}

const unopened = (): OperatingError =>
  new OperatingError(
    'SETTING_INVALID',
    'no secret that this process was given unwraps the key of a merchant: name the one it was wrapped by in SWITCHYARD_DATA_KEY_SECRETS_OLD',
    { retryable: false },
  )

const openedBy = (key: Uint8Array, sealed: Uint8Array, merchantId: string): Uint8Array => {
  try {
    return decrypt(key, sealed, merchantId)
  } catch (cause) {
    const message = `the key of the merchant ${merchantId} does not authenticate what it is to open: it was sealed under another one, or tampered with`
    throw new OperatingError('RECORD_UNREADABLE', message, { retryable: false, cause })
  }
}

const idOf = (merchantId: string, life: number): string => JSON.stringify([merchantId, life])

/** The key of a merchant's life; undefined when none of these wrapped it. */
const tryUnwrap = (masters: readonly Uint8Array[], id: string, wrapped: Uint8Array): Uint8Array | undefined => {
  for (const key of masters) {
    const unwrapped = tryDecrypt(key, wrapped, `key ${id}`)
    if (unwrapped !== undefined) return unwrapped
  }
  return undefined
}

const unwrapBy = (masters: readonly Uint8Array[], id: string, wrapped: Uint8Array): Uint8Array => {
  const unwrapped = tryUnwrap(masters, id, wrapped)
  if (unwrapped === undefined) throw unopened()
  return unwrapped
}

/** Tells of a kept key whether one of these secrets wrapped it. */
export const recogniserOf = (secrets: readonly string[]): ((key: KeptKey) => boolean) => {
  const masters = secrets.map(masterOf)
  return ({ merchantId, life, wrappedKey }) => tryUnwrap(masters, idOf(merchantId, life), wrappedKey) !== undefined
}

/** A {@link MerchantCipher} of AES-256-GCM; the keys are random and wrapped by the deployment's secret. */
export const createMerchantCipher = ({ vault, secrets, lifeOf }: MerchantCipherDependencies): MerchantCipher => {
  const [newest, ...old] = secrets
  const master = masterOf(newest)
  const masters = [master, ...old.map(masterOf)]
  const atHand = new Map<string, Promise<Uint8Array | undefined>>()
  /** By merchant: the first life whose key is not destroyed. */
  const firstLives = new Map<string, number>()

  /** Work that was under way for a merchant that is closed goes on for a while: it must not bring a key back. */
  const isDestroyed = (merchantId: string, life: number): boolean => life < (firstLives.get(merchantId) ?? 0)

  /** Asks once for all who ask at the same time, and forgets what was not found. */
  const remembered = (merchantId: string, life: number, ask: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> => {
    const id = idOf(merchantId, life)
    const known = atHand.get(id)
    if (known !== undefined) return known
    const [oldest] = atHand.keys()
    if (atHand.size >= KEYS_AT_HAND_MAX && oldest !== undefined) atHand.delete(oldest)
    const asked = ask()
    atHand.set(id, asked)
    const forget = (): void => {
      if (atHand.get(id) === asked) atHand.delete(id)
    }
    asked.then((key) => key ?? forget(), forget)
    return asked
  }

  const find = async (merchantId: string, life: number): Promise<Uint8Array | undefined> => {
    const wrapped = await vault.find(merchantId, life)
    return wrapped === undefined ? undefined : unwrapBy(masters, idOf(merchantId, life), wrapped)
  }

  const findOrCreate = async (merchantId: string, life: number): Promise<Uint8Array> => {
    const found = await find(merchantId, life)
    if (found !== undefined) return found
    const wrapped = encrypt(master, life, randomBytes(KEY_BYTES), `key ${idOf(merchantId, life)}`)
    const kept = await vault.keep(merchantId, life, wrapped)
    // Closed meanwhile: what destroyed the merchant's keys may have come before this one was there.
    if (isDestroyed(merchantId, life)) await vault.destroy(merchantId, life)
    return unwrapBy(masters, idOf(merchantId, life), kept)
  }

  return {
    seal: async (merchantId, text) => {
      const life = lifeOf(merchantId)
      if (isDestroyed(merchantId, life)) return encrypt(randomBytes(KEY_BYTES), life, text, merchantId)
      const key = (await remembered(merchantId, life, () => find(merchantId, life))) ?? (await findOrCreate(merchantId, life))
      return encrypt(key, life, text, merchantId)
    },
    open: async (merchantId, sealed) => {
      const life = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength).readUInt32BE(LIFE_AT)
      if (isDestroyed(merchantId, life)) return undefined
      const key = await remembered(merchantId, life, () => find(merchantId, life))
      return key === undefined ? undefined : openedBy(key, sealed, merchantId)
    },
    destroyBefore: async (merchantId, life) => {
      firstLives.set(merchantId, Math.max(life, firstLives.get(merchantId) ?? 0))
      for (let earlier = 1; earlier < life; earlier++) {
        atHand.delete(idOf(merchantId, earlier))
        await vault.destroy(merchantId, earlier)
      }
    },
  }
}
