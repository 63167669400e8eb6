import { describe } from '@jest/globals'
import type { EventLog } from '@switchyard/kernel'
import { createEmbeddedLog, type EmbeddedLog } from '@switchyard/log-embedded'
import type { OpenedLog } from './event-log/adapter.ts'
import { describeEventLog } from './event-log.suite.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

interface OpenedEmbeddedLog extends OpenedLog {
  readonly owner: EmbeddedLog
  readonly folder: string
  readonly readers: readonly EventLog[]
}

/** What a thread that appends through its owner has; between the two stands what messages between threads do to values. */
const openThrough = (folder: string, owner: EmbeddedLog): EmbeddedLog =>
  createEmbeddedLog({ folder, role: 'reader', through: async (chunks) => structuredClone(await owner.putChunks(structuredClone(chunks))) })

/**
 * A handle of its own is a reader in the same thread: it shares nothing with the owner but the data file and the broadcast
 * channel, which are what a worker thread shares with it.
 */
const openIn = (folder: string, appending: 'owner' | 'through its owner'): OpenedEmbeddedLog => {
  const owner = createEmbeddedLog({ folder, role: 'owner' })
  const log = appending === 'owner' ? owner : openThrough(folder, owner)
  const readers: EventLog[] = []
  return {
    owner,
    log,
    folder,
    readers,
    openReader: async () => {
      const reader = createEmbeddedLog({ folder, role: 'reader' })
      readers.push(reader)
      return reader
    },
    dispose: async () => {
      for (const handle of [...readers, log, owner]) await handle.close()
      removeFolder(folder)
    },
  }
}

describe.each(['owner', 'through its owner'] as const)('the handle that appends: %s', (appending) => {
  describeEventLog('embedded', {
    open: async () => openIn(createTemporaryFolder(), appending),
    reopen: async ({ log, owner, readers, folder }) => {
      for (const handle of [...readers, log, owner]) await handle.close()
      return openIn(folder, appending)
    },
    truncate: async ({ owner }, topic, upTo) => await owner.truncate(topic, upTo),
  })
})
