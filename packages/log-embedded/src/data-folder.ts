import { accessSync, constants, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VOLUME_FOLDER } from '@switchyard/embedded'
import { assert, OperatingError } from '@switchyard/kernel'
import { type FolderLock, isLockFile, lockFolder } from './folder-lock.ts'
import { PARTITION_COUNT_MAX } from './limits.ts'

const META_FILE = 'switchyard.json'
const PRODUCT = 'switchyard'
const CONTENT = 'event-log'
const FORMAT = 1

/** A folder that holds an event log of this product and format. */
export interface DataFolder {
  /** The folder without symbolic links: all threads that have it open know it by this path. */
  readonly path: string
  /** As it was when the log was created; it never changes, the partition of a key depends on it. */
  readonly partitionCount: number
  /** Undefined for a reader. */
  readonly lock: FolderLock | undefined
}

const foreign = (folder: string, why: string): OperatingError =>
  new OperatingError('DATA_FOLDER_FOREIGN', `the folder ${folder} does not hold an event log of this version: ${why}`, { retryable: false })

const parseMeta = (folder: string, text: string): number => {
  let meta: unknown
  try {
    meta = JSON.parse(text)
  } catch {
    throw foreign(folder, `${META_FILE} is not JSON`)
  }
  const { product, content, format, partitionCount } = Object(meta)
  if (product !== PRODUCT || content !== CONTENT) throw foreign(folder, 'it belongs to something else')
  if (format !== FORMAT) throw foreign(folder, `its format is ${String(format)}, known is ${FORMAT}`)
  if (!isPartitionCount(partitionCount)) throw foreign(folder, 'it names no number of partitions')
  return partitionCount
}

const isPartitionCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= PARTITION_COUNT_MAX

const readMeta = (folder: string): number | undefined => {
  if (!readdirSync(folder).includes(META_FILE)) return undefined
  return parseMeta(folder, readFileSync(join(folder, META_FILE), 'utf8'))
}

/** Written first under this name. */
const META_ASIDE = `${META_FILE}.new`

const isPassedOver = (name: string): boolean => name === META_ASIDE || name === VOLUME_FOLDER || isLockFile(name)

const assertEmpty = (folder: string): void => {
  const others = readdirSync(folder).filter((name) => !isPassedOver(name))
  if (others.length > 0) throw foreign(folder, `it holds other files (${others[0]})`)
}

/** Written aside and renamed, so that a crash leaves no half of it. */
const createMeta = (folder: string, partitionCount: number): number => {
  assert(isPartitionCount(partitionCount), `a log has 1 to ${PARTITION_COUNT_MAX} partitions`)
  writeFileSync(join(folder, META_ASIDE), `${JSON.stringify({ product: PRODUCT, content: CONTENT, format: FORMAT, partitionCount })}\n`, {
    flush: true,
  })
  renameSync(join(folder, META_ASIDE), join(folder, META_FILE))
  return partitionCount
}

/** Fails as the folder, when the system does: a disk may be full. */
const asUnwritable = <Result>(folder: string, write: () => Result): Result => {
  try {
    return write()
  } catch (cause) {
    if (Object(cause).syscall === undefined) throw cause
    throw new OperatingError('DATA_FOLDER_UNWRITABLE', `the folder ${folder} can't be written`, { retryable: false, cause })
  }
}

const writable = (folder: string): string =>
  asUnwritable(folder, () => {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(folder)
  })

/** Opens the folder as its only owner; creates the log when the folder is empty. */
export const openAsOwner = (folder: string, partitionCount: number): DataFolder => {
  const path = writable(folder)
  // A folder of something else stays as it is, without so much as a lock in it.
  if (readMeta(path) === undefined) assertEmpty(path)
  const lock = asUnwritable(path, () => lockFolder(path))
  try {
    return { path, partitionCount: readMeta(path) ?? asUnwritable(path, () => createMeta(path, partitionCount)), lock }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Opens the folder beside its owner. */
export const openAsReader = (folder: string): DataFolder => {
  const path = writable(folder)
  const partitionCount = readMeta(path)
  if (partitionCount === undefined) {
    throw new OperatingError('LOG_UNAVAILABLE', `there is no event log in the folder ${folder} yet`, { retryable: true })
  }
  return { path, partitionCount, lock: undefined }
}
