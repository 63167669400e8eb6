import { accessSync, constants, statSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OperatingError } from '@switchyard/kernel'
import { createFolder, syncFolder } from '@switchyard/runtime'

/** What became of the bytes of a file. */
export type Spooled = { readonly kind: 'kept'; readonly byteCount: number } | { readonly kind: 'empty' } | { readonly kind: 'too-large' }

/** Files on their way in: each is there as a whole, or not at all. */
export interface Spool {
  /** Keeps a file under the id of its ingestion; durable when it resolves. Rejects when the bytes fail, and with `SPOOL_UNAVAILABLE` when the disk does. */
  readonly keep: (id: string, bytes: AsyncIterable<Uint8Array>, byteCountMax: number) => Promise<Spooled>
  readonly pathOf: (id: string) => string
  readonly has: (id: string) => Promise<boolean>
  /** Removing what is not there is no mistake. */
  readonly remove: (id: string) => Promise<void>
  /** Removes halves and files that nobody needs and that were not written to since `untilMs`, epoch milliseconds. */
  readonly sweep: (needed: ReadonlySet<string>, untilMs: number) => Promise<void>
}

const WHOLE = '.report'
const PART = '.part'

class TooLarge extends Error {}

/** What the disk says, and not who sends the bytes. */
const DISK_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'])

/** A {@link Spool} in a folder, which is created. Several processes may share it. */
export const createSpool = (folder: string): Spool => {
  const pathOf = (id: string): string => join(folder, `${id}${WHOLE}`)
  const partOf = (id: string): string => join(folder, `${id}${PART}`)

  const write = async (id: string, bytes: AsyncIterable<Uint8Array>, byteCountMax: number): Promise<number> => {
    let byteCount = 0
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        byteCount += chunk.length
        if (byteCount > byteCountMax) throw new TooLarge()
        yield chunk
      }
    }
    // There before anything can fail: a file that is made behind the failure would be left.
    const file = await open(partOf(id), 'w', 0o600)
    await pipeline(Readable.from(counted(), { objectMode: false }), file.createWriteStream({ flush: true }))
    return byteCount
  }

  return {
    pathOf,
    keep: async (id, bytes, byteCountMax) => {
      try {
        await mkdir(folder, { recursive: true })
        const byteCount = await write(id, bytes, byteCountMax)
        if (byteCount === 0) return { kind: 'empty' }
        await rename(partOf(id), pathOf(id))
        await syncFolder(folder)
        return { kind: 'kept', byteCount }
      } catch (error) {
        if (error instanceof TooLarge) return { kind: 'too-large' }
        if (!DISK_CODES.has(Object(error).code)) throw error
        throw new OperatingError('SPOOL_UNAVAILABLE', `a report can't be kept in ${folder}`, { retryable: true, cause: error })
      } finally {
        await rm(partOf(id), { force: true })
      }
    },
    has: async (id) => (await stat(pathOf(id)).catch(() => undefined)) !== undefined,
    remove: async (id) => await rm(pathOf(id), { force: true }),
    sweep: async (needed, untilMs) => {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        const writtenMs = (await stat(path).catch(() => undefined))?.mtimeMs
        if (writtenMs === undefined || writtenMs > untilMs) continue
        const isWhole = name.endsWith(WHOLE)
        if (isWhole && needed.has(name.slice(0, -WHOLE.length))) continue
        if (isWhole || name.endsWith(PART)) await rm(path, { force: true })
      }
    },
  }
}

/** A {@link Spool} in the folder that the settings name: throws `SETTING_INVALID` when no file can be kept there. */
export const openNamedSpool = (folder: string): Spool => {
  try {
    createFolder(resolve(folder))
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder')
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new OperatingError('SETTING_INVALID', `SWITCHYARD_REPORT_SPOOL_DIR: ${folder} can't be written`, { retryable: false, cause })
  }
  return createSpool(folder)
}
