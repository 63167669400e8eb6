import { open } from 'node:fs/promises'

/** What systems say that sync no folder, or open none: they keep names by other means. */
const NOT_KNOWN_CODES: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'])

/** Resolves when the names in a folder are on disk: syncing a file keeps what is in it, and not that it is there. */
export const syncFolder = async (folder: string): Promise<void> => {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!NOT_KNOWN_CODES.has(Object(error).code)) throw error
  }
}
