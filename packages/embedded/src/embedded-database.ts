import { realpathSync } from 'node:fs'
import { type Key, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { createOpeningGate, type OpeningGate } from './opening-gate.ts'

/** An LMDB database that any number of threads and processes may open and write. */
export interface EmbeddedDatabase<Value, Key_ extends Key> {
  readonly root: RootDatabase<Value, Key_>
  /** Every transaction that writes goes through one of these. Rejects with the driver's cause. */
  readonly write: OpeningGate['write']
  readonly writeNow: OpeningGate['writeNow']
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

/** How often this thread has each database open: it has waited for its own writes else, and they for it. */
const openCounts = new Map<string, number>()

/** Opens the database in this folder, which is made where it is missing. Throws what the driver throws. */
export const openEmbeddedDatabase = <Value, Key_ extends Key>(
  folder: string,
  options: Omit<RootDatabaseOptionsWithPath, 'path' | 'noSubdir' | 'overlappingSync'>,
): EmbeddedDatabase<Value, Key_> => {
  const gate = createOpeningGate(folder)
  const path = realpathSync(folder)
  const openCount = openCounts.get(path) ?? 0
  // A write ends when it is on disk, and nobody sees it before: no reader ever sees what a crash takes back.
  const openRoot = (): RootDatabase<Value, Key_> => open<Value, Key_>({ ...options, path, noSubdir: false, overlappingSync: false })
  try {
    const root = openCount > 0 ? openRoot() : gate.open(openRoot)
    openCounts.set(path, openCount + 1)
    return {
      root,
      write: async (write) => {
        try {
          return await gate.write(write)
        } catch (error) {
          throw await causeOf(error)
        }
      },
      writeNow: gate.writeNow,
      close: async () => {
        await root.close()
        openCounts.set(path, (openCounts.get(path) ?? 1) - 1)
        gate.close()
      },
    }
  } catch (error) {
    gate.close()
    throw error
  }
}
