import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OperatingError } from '@switchyard/kernel'
import { createFolder, DATA_LAYOUT_VERSION, DATA_MARKER_FILE, dataLayoutIn } from '@switchyard/runtime'

/** Where everything lies that survives a restart. */
export interface DataFolder {
  readonly root: string
  readonly log: string
  readonly store: string
  readonly secrets: string
  /** Settlement reports until they are taken in; created with the first one. */
  readonly spool: string
  /** Mails, when no mail server is named; created with the first one. */
  readonly outbox: string
}

const foreign = (root: string, detail: string): OperatingError =>
  new OperatingError('DATA_FOLDER_FOREIGN', `${root} ${detail}; name another folder in SWITCHYARD_DATA_DIR`, { retryable: false })

const checkMarker = (root: string, path: string): void => {
  let version: unknown
  try {
    version = dataLayoutIn(path)
  } catch (error) {
    throw new OperatingError('DATA_FOLDER_FOREIGN', `${path} can't be read`, { retryable: false, cause: error })
  }
  if (version !== DATA_LAYOUT_VERSION) throw foreign(root, `was written by another release (layout ${String(version)})`)
}

/** On disk before it has its name: an empty one would close the folder for good. */
const writeMarker = (path: string): void => {
  const half = `${path}.new`
  writeFileSync(half, `${JSON.stringify({ product: 'switchyard', layout: DATA_LAYOUT_VERSION })}\n`, { flush: true })
  renameSync(half, path)
}

/** File systems make a folder of this name in the root of their volume, which may be mounted as the data folder. */
const VOLUME_FOLDER = 'lost+found'

const isOfSomethingElse = (name: string): boolean => !name.startsWith('.') && name !== VOLUME_FOLDER && name !== `${DATA_MARKER_FILE}.new`

/** Opens or creates the data folder; refuses one that can't be written or that holds something else. */
export const openDataFolder = (path: string): DataFolder => {
  const root = resolve(path)
  const marker = join(root, DATA_MARKER_FILE)
  try {
    createFolder(root)
    if (existsSync(marker)) checkMarker(root, marker)
    else if (readdirSync(root).some(isOfSomethingElse)) throw foreign(root, 'holds files that are not ours')
    else writeMarker(marker)
    const folder = {
      root,
      log: join(root, 'log'),
      store: join(root, 'store'),
      secrets: join(root, 'secrets'),
      spool: join(root, 'spool'),
      outbox: join(root, 'outbox'),
    }
    for (const part of [folder.log, folder.store, folder.secrets]) createFolder(part)
    return folder
  } catch (error) {
    if (error instanceof OperatingError) throw error
    throw new OperatingError(
      'DATA_FOLDER_UNWRITABLE',
      `SWITCHYARD_DATA_DIR: ${root} can't be written: ${error instanceof Error ? error.message : 'unknown reason'}`,
      {
        retryable: false,
        cause: error,
      },
    )
  }
}
