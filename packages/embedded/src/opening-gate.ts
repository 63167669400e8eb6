import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type FileLock, openFileLock } from './file-lock.ts'
import { GATE_LOOK_EVERY_MS, GATE_WAIT_MAX_MS } from './limits.ts'

/**
 * Keeps the opening of a database and the writes to it apart, of all threads and processes that have a gate with this folder. LMDB takes
 * the number of the last transaction from the file when it is opened, and sets it for all: a commit that another process made in
 * between would be written over, although it was acknowledged.
 */
export interface OpeningGate {
  /** Runs a write while nobody opens; writes are begun in the order of their calls. */
  readonly write: <Result>(write: () => Promise<Result>) => Promise<Result>
  /** The same for a write that holds its thread up. */
  readonly writeNow: <Result>(write: () => Result) => Result
  /** Opens while nobody writes, and holds the thread up until then. Whoever writes all the time gets no turn before it. */
  readonly open: <Result>(open: () => Result) => Result
  readonly close: () => void
}

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
const holdUp = (ms: number): void => void Atomics.wait(cell, 0, 0, ms)

const busy = (what: string): Error =>
  new Error(`${what} for ${GATE_WAIT_MAX_MS} ms; a process that was stopped in the middle of it has to go on or to end`)

/** Tries again and again, holding the thread up. */
const untilDone = (attempt: () => boolean, what: string): void => {
  for (const endMs = performance.now() + GATE_WAIT_MAX_MS; !attempt(); holdUp(GATE_LOOK_EVERY_MS))
    if (performance.now() > endMs) throw busy(what)
}

const WRITING = 'the database was being opened by somebody else'
const OPENING = 'somebody else was writing to the database'

/** The locks of a gate, as its handle has them. */
interface Door {
  /** Whether this handle may write now. */
  readonly tryEnter: () => boolean
  /** The same, also before one who waits for this handle's other writes to end: they can't end while the thread waits. */
  readonly tryEnterAlong: () => boolean
  readonly leave: () => void
  /** Holds the thread up until nobody writes, and keeps the others out. */
  readonly shut: () => void
  readonly unshut: () => void
  readonly close: () => void
}

/** Opens a second lock; without it, the first is of no use. */
const openBeside = (first: FileLock, file: string): FileLock => {
  try {
    return openFileLock(file)
  } catch (error) {
    first.close()
    throw error
  }
}

const openDoor = (folder: string): Door => {
  /** Whoever opens keeps it until it has opened; whoever writes has it for a moment before the door: so new writes wait behind one who opens. */
  const queue = openFileLock(join(folder, 'opening-queue.lock'))
  const door = openBeside(queue, join(folder, 'opening.lock'))
  let writeCount = 0
  const unshut = (): void => {
    door.release()
    queue.release()
  }
  const enter = (): true => {
    writeCount += 1
    return true
  }
  const tryEnter = (): boolean => {
    if (!queue.tryShared()) return false
    try {
      return (writeCount > 0 || door.tryShared()) && enter()
    } finally {
      queue.release()
    }
  }
  return {
    tryEnter,
    tryEnterAlong: () => (writeCount > 0 ? enter() : tryEnter()),
    leave: () => {
      writeCount -= 1
      if (writeCount === 0) door.release()
    },
    shut: () => {
      try {
        untilDone(queue.tryAlone, OPENING)
        untilDone(door.tryAlone, OPENING)
      } catch (error) {
        unshut()
        throw error
      }
    },
    unshut,
    close: () => {
      door.close()
      queue.close()
    },
  }
}

/** Enters by turns: behind those that wait already, also behind one that waited in vain. Each waits for as long as from its own call. */
const createTurns = (tryEnter: () => boolean): (() => Promise<void>) => {
  let lastWaiting: Promise<void> | undefined
  return async () => {
    if (lastWaiting === undefined && tryEnter()) return
    const endMs = performance.now() + GATE_WAIT_MAX_MS
    const untilEntered = async (): Promise<void> => {
      for (; !tryEnter(); await delay(GATE_LOOK_EVERY_MS)) if (performance.now() > endMs) throw busy(WRITING)
    }
    const mine = lastWaiting === undefined ? untilEntered() : lastWaiting.then(untilEntered, untilEntered)
    lastWaiting = mine
    try {
      await mine
    } finally {
      if (lastWaiting === mine) lastWaiting = undefined
    }
  }
}

/** The gate with the files in this folder, which is there; one for all that a thread has of the database. Its calls reject, or throw, after {@link GATE_WAIT_MAX_MS} of waiting. */
export const createOpeningGate = (folder: string): OpeningGate => {
  const { tryEnter, tryEnterAlong, leave, shut, unshut, close } = openDoor(folder)
  const enterInTurn = createTurns(tryEnter)
  return {
    write: async (write) => {
      await enterInTurn()
      try {
        return await write()
      } finally {
        leave()
      }
    },
    writeNow: (write) => {
      untilDone(tryEnterAlong, WRITING)
      try {
        return write()
      } finally {
        leave()
      }
    },
    open: (open) => {
      shut()
      try {
        return open()
      } finally {
        unshut()
      }
    },
    close,
  }
}
