import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatingError } from '@switchyard/kernel'
import { writeOnce } from '../secret-file.ts'

/**
 * Where the wrapped data keys of merchants are kept: outside the log, which can't be edited, and outside the read models, which
 * can be thrown away. `life` counts how often the merchant's id was registered: a merchant that comes back gets another key.
 */
export interface KeyVault {
  /** Undefined when there is none, or it was destroyed. */
  readonly find: (merchantId: string, life: number) => Promise<Uint8Array | undefined>
  /** Keeps the key unless there is one already; resolves with the one that stands, when that is durable. */
  readonly keep: (merchantId: string, life: number, wrappedKey: Uint8Array) => Promise<Uint8Array>
  /** Destroys the key, and with it everything that was encrypted under it; nothing happens when there is none. */
  readonly destroy: (merchantId: string, life: number) => Promise<void>
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const unwritable = (folder: string, cause: unknown): OperatingError =>
  new OperatingError('DATA_FOLDER_UNWRITABLE', `the keys of merchants can't be kept in ${folder}`, { retryable: true, cause })

/** Overwrites what is in the file before its name goes away. */
const shred = async (path: string): Promise<void> => {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    await file.write(new Uint8Array(size), 0, size, 0)
    await file.sync()
  } finally {
    await file.close()
  }
  await rm(path, { force: true })
}

/** A {@link KeyVault} of one file a key, for the owner of the folder only. */
export const createFileKeyVault = (folder: string): KeyVault => {
  const pathOf = (merchantId: string, life: number): string =>
    join(
      folder,
      `${createHash('sha256')
        .update(JSON.stringify([merchantId, life]))
        .digest('hex')}.key`,
    )

  const find = async (merchantId: string, life: number): Promise<Uint8Array | undefined> => {
    try {
      return await readFile(pathOf(merchantId, life))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw unwritable(folder, error)
    }
  }

  return {
    find,
    keep: async (merchantId, life, wrappedKey) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeOnce(pathOf(merchantId, life), wrappedKey)
      } catch (error) {
        throw unwritable(folder, error)
      }
      return (await find(merchantId, life)) ?? wrappedKey
    },
    destroy: async (merchantId, life) => {
      try {
        await shred(pathOf(merchantId, life))
      } catch (error) {
        if (!isMissing(error)) throw unwritable(folder, error)
      }
    },
  }
}
