import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatingError } from '@switchyard/kernel'
import { KEY_FILES_AT_ONCE_MAX } from '../limits.ts'
import { writeOnce } from '../secret-file.ts'

/** Whose key it is: a merchant's, in one of its lives. */
export interface KeyOwner {
  readonly merchantId: string
  readonly life: number
}

/** A key as it is kept. */
export interface KeptKey extends KeyOwner {
  readonly wrappedKey: Uint8Array
}

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
  /** The keys that are kept, page by page; of these owners only, where a vault does not know itself whose its keys are. */
  readonly pages: (owners: Iterable<KeyOwner>) => AsyncIterable<readonly KeptKey[]>
  /** What holds the keys, for a person who looks for them. */
  readonly place: string
}

const isMissing = (error: unknown): boolean => Object(error).code === 'ENOENT'

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

const fileOf = (merchantId: string, life: number): string =>
  `${createHash('sha256')
    .update(JSON.stringify([merchantId, life]))
    .digest('hex')}.key`

const filesIn = async (folder: string): Promise<ReadonlySet<string>> => {
  try {
    return new Set(await readdir(folder))
  } catch (error) {
    if (isMissing(error)) return new Set()
    throw unwritable(folder, error)
  }
}

/** Owners, some at a time: those of the first page as they come, as one of them nearly always has a key; then those whose file is there. */
async function* pagesOf(folder: string, owners: Iterable<KeyOwner>): AsyncGenerator<readonly KeyOwner[]> {
  let files: ReadonlySet<string> | undefined
  let page: KeyOwner[] = []
  for (const owner of owners) {
    if (files?.has(fileOf(owner.merchantId, owner.life)) === false) continue
    page.push(owner)
    if (page.length < KEY_FILES_AT_ONCE_MAX) continue
    yield page
    page = []
    files ??= await filesIn(folder)
    if (files.size === 0) return
  }
  if (page.length > 0) yield page
}

/** A {@link KeyVault} of one file a key, for the owner of the folder only. */
export const createFileKeyVault = (folder: string): KeyVault => {
  const pathOf = (merchantId: string, life: number): string => join(folder, fileOf(merchantId, life))

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
    // The name of a file does not tell whose key is in it.
    pages: async function* (owners) {
      for await (const page of pagesOf(folder, owners)) {
        const found = await Promise.all(page.map(async (owner) => ({ ...owner, wrappedKey: await find(owner.merchantId, owner.life) })))
        yield found.flatMap(({ wrappedKey, ...owner }) => (wrappedKey === undefined ? [] : [{ ...owner, wrappedKey }]))
      }
    },
    place: `the folder ${folder}`,
  }
}
