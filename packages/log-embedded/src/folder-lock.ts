import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type FileLock, openFileLock } from '@switchyard/embedded'
import { OperatingError } from '@switchyard/kernel'
import { LOCK_ATTEMPTS_MAX } from './limits.ts'

const LOCK_FILE = 'owner.lock'
/** Locked by the system for as long as the owner lives; it stays where it is. */
const HELD_FILE = `${LOCK_FILE}.held`

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Where process ids mean something: the same boot of the same machine. Without /proc: the name of the machine. */
const place = (): string => textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname()

/** Of a process that is dead, and that its parent has not asked for yet. */
const DEAD_STATE = 'Z'

/** When the process started, so that a process that got the id of a dead owner is not taken for it; '' when not known, or dead. */
const startOf = (pid: number): string => {
  const stat = textOf(`/proc/${pid}/stat`)
  // The name of the program, in parentheses, may contain spaces; the state and the start time are the first and the 20th field behind it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return fields[0] === DEAD_STATE ? '' : (fields[19] ?? '')
}

const codeOf = (error: unknown): unknown => Object(error).code

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether the process that wrote the lock may still be there. In doubt it is. */
const isHeld = (lock: string): boolean => {
  const [pidText = '', start = '', writtenAt = ''] = lock.split('\n')
  const pid = Number(pidText)
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  if (writtenAt !== place()) return false
  return isRunning(pid) && startOf(pid) === start
}

const removeIfPresent = (file: string): void => {
  try {
    unlinkSync(file)
  } catch {
    // Somebody else removed it first.
  }
}

const tryToLink = (own: string, file: string): boolean => {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Moves a stale lock away. A lock that another taker has put there in the meantime is put back. */
const removeStale = (file: string, stale: string): void => {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (textOf(aside) !== stale) tryToLink(aside, file)
  removeIfPresent(aside)
}

/** A lock that is held until it is released or its process ends, however it ends. */
export interface FolderLock {
  readonly release: () => void
}

/** The system's lock: it also keeps out a process of another container, to which the id of the owner says nothing. */
const holdFolder = (folder: string): FileLock => {
  const held = openFileLock(join(folder, HELD_FILE))
  if (held.tryAlone()) return held
  held.close()
  throw inUse(folder, textOf(join(folder, LOCK_FILE)) ?? '')
}

/** Puts a file there that names this process; that of a process that is gone (killed, machine restarted) is taken over. */
const nameOwner = (folder: string): FolderLock => {
  const file = join(folder, LOCK_FILE)
  const own = `${file}.${randomUUID()}`
  const content = [process.pid, startOf(process.pid), place(), randomUUID(), ''].join('\n')
  try {
    writeFileSync(own, content, { flush: true })
    for (let attempt = 0; attempt < LOCK_ATTEMPTS_MAX; attempt++) {
      if (tryToLink(own, file) && textOf(file) === content) {
        return {
          release: () => {
            if (textOf(file) === content) removeIfPresent(file)
          },
        }
      }
      const present = textOf(file)
      if (present === undefined) continue
      if (isHeld(present)) throw inUse(folder, present)
      removeStale(file, present)
    }
    throw inUse(folder, textOf(file) ?? '')
  } finally {
    removeIfPresent(own)
  }
}

/**
 * Takes the lock of the folder for this process, or throws `DATA_FOLDER_IN_USE`: the system's, and a file that names the process, for
 * people and for systems that know no other lock.
 */
export const lockFolder = (folder: string): FolderLock => {
  const held = holdFolder(folder)
  try {
    const named = nameOwner(folder)
    return {
      release: () => {
        named.release()
        held.close()
      },
    }
  } catch (error) {
    held.close()
    throw error
  }
}

const inUse = (folder: string, lock: string): OperatingError =>
  new OperatingError('DATA_FOLDER_IN_USE', `the folder ${folder} is in use by the process ${lock.split('\n')[0] || 'that starts there'}`, {
    retryable: true,
  })

/** Whether a file of this name belongs to the lock. */
export const isLockFile = (name: string): boolean => name.startsWith(LOCK_FILE)
