import { closeSync, openSync } from 'node:fs'
import koffi from 'koffi'

const SHARED = 1
const ALONE = 2
const WITHOUT_WAITING = 4
const RELEASED = 8

/** Windows has no such call; LMDB keeps its own lock there by other means. */
const flock: ((descriptor: number, operation: number) => number) | undefined =
  process.platform === 'win32' ? undefined : koffi.load(null).func('int flock(int, int)')

/** A lock of the system: between all handles of a file, of threads and processes; it is gone with the process that holds it. */
export interface FileLock {
  /** Whether this handle has the lock now, beside others that share it. */
  readonly tryShared: () => boolean
  /** Whether this handle has the lock now, and nobody else. */
  readonly tryAlone: () => boolean
  readonly release: () => void
  readonly close: () => void
}

/** A handle of the lock with this file, which is made where it is missing. Throws what the system says that is no "somebody else has it". */
export const openFileLock = (file: string): FileLock => {
  const descriptor = openSync(file, 'a')
  const call = (operation: number): boolean => {
    if (flock === undefined || flock(descriptor, operation) === 0) return true
    const code = koffi.errno()
    if (code === koffi.os.errno['EWOULDBLOCK'] || code === koffi.os.errno['EAGAIN'] || code === koffi.os.errno['EINTR']) return false
    throw new Error(`the file ${file} can't be locked: error ${code} of the system`)
  }
  return {
    tryShared: () => call(SHARED | WITHOUT_WAITING),
    tryAlone: () => call(ALONE | WITHOUT_WAITING),
    release: () => void flock?.(descriptor, RELEASED),
    close: () => closeSync(descriptor),
  }
}
