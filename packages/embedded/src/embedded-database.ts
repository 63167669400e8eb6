import { existsSync, mkdirSync, realpathSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { type Key, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { assertWhole } from './assert-whole.ts'
import { MAKING_ROOM_BYTES_MIN, WRITING_ROOM_BYTES_MIN } from './limits.ts'
import { createOpeningGate, type OpeningGate } from './opening-gate.ts'

/** An LMDB database that any number of threads and processes may open and write. */
export interface EmbeddedDatabase<Value, Key_ extends Key> {
  readonly root: RootDatabase<Value, Key_>
  /** Every transaction that writes goes through one of these. Rejects, or throws, with the driver's cause, and before the disk is full. */
  readonly write: OpeningGate['write']
  readonly writeNow: OpeningGate['writeNow']
  /** For opening what is within it: also on a full disk, where it is there. */
  readonly openNow: OpeningGate['writeNow']
  readonly close: () => Promise<void>
}

/** The driver rejects with an error that holds the promise of its cause, and that promise rejects a moment later. */
const causeOf = async (error: unknown): Promise<unknown> => {
  try {
    await Object(error).commitError
    return error
  } catch (cause) {
    return cause
  }
}

/** The gate of a database that this thread has open, for all its handles: with one each they would wait for each other, and hold the thread up. */
interface Opened {
  readonly gate: OpeningGate
  handleCount: number
}

const openedHere = new Map<string, Opened>()

/** Takes a handle away; whether it was the last: whoever opens from now on waits for others again. */
const leave = (path: string, opened: Opened): boolean => {
  opened.handleCount -= 1
  return opened.handleCount === 0 && openedHere.delete(path)
}

/** Opens the database in this folder, which is there. Throws what the driver throws, and where the file is cut off. */
const openIn = <Value, Key_ extends Key>(
  path: string,
  opened: Opened,
  remedy: string,
  openRoot: () => RootDatabase<Value, Key_>,
): RootDatabase<Value, Key_> => {
  opened.handleCount += 1
  try {
    // LMDB opens a database once for a process, however often it is asked to; and others may write now: what a look at the file sees would not fit together.
    if (opened.handleCount > 1) return openRoot()
    return opened.gate.open(() => {
      assertWhole(path, remedy)
      return openRoot()
    })
  } catch (error) {
    if (leave(path, opened)) opened.gate.close()
    throw error
  }
}

const assertRoom = (path: string, what: string, bytesMin: number): void => {
  const { bavail, bsize } = statfsSync(path)
  const bytes = bavail * bsize
  if (bytes < bytesMin) throw new Error(`the disk of ${path} is full: ${bytes} bytes are left, ${what} takes ${bytesMin}`)
}

/** A database that is made writes to files through memory: where the disk has no room for them, the system ends the process without a word. */
const assertRoomToMake = (path: string): void => {
  if (!existsSync(join(path, 'lock.mdb'))) assertRoom(path, 'a new database', MAKING_ROOM_BYTES_MIN)
}

/**
 * Opens the database in this folder, which is made where it is missing. Throws what the driver throws, and where the file is cut off; `remedy` tells a
 * person what to do then.
 */
export const openEmbeddedDatabase = <Value, Key_ extends Key>(
  folder: string,
  options: Omit<RootDatabaseOptionsWithPath, 'path' | 'noSubdir' | 'overlappingSync'>,
  remedy = 'put a whole copy in its place',
): EmbeddedDatabase<Value, Key_> => {
  mkdirSync(folder, { recursive: true })
  const path = realpathSync(folder)
  assertRoomToMake(path)
  const opened = openedHere.get(path) ?? { gate: createOpeningGate(path), handleCount: 0 }
  openedHere.set(path, opened)
  const { gate } = opened
  // A write ends when it is on disk, and nobody sees it before: no reader ever sees what a crash takes back.
  const root = openIn(path, opened, remedy, () => open<Value, Key_>({ ...options, path, noSubdir: false, overlappingSync: false }))
  /** The driver tells of a page that the disk did not take in a longer text than it has memory for: that ends the process. */
  const withRoom =
    <Result>(write: () => Result): (() => Result) =>
    () => {
      assertRoom(path, 'a write', WRITING_ROOM_BYTES_MIN)
      return write()
    }
  return {
    root,
    write: async (write) => {
      try {
        return await gate.write(withRoom(write))
      } catch (error) {
        throw await causeOf(error)
      }
    },
    writeNow: (write) => gate.writeNow(withRoom(write)),
    openNow: gate.writeNow,
    close: async () => {
      const wasLast = leave(path, opened)
      await root.close()
      if (wasLast) gate.close()
    },
  }
}
