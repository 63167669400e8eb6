import type { EventLog } from '@switchyard/kernel'
import { createEmbeddedLog, type EmbeddedLog } from '@switchyard/log-embedded'
import type { OpenedLog } from './event-log/adapter.ts'
import { describeEventLog } from './event-log.suite.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

interface OpenedEmbeddedLog extends OpenedLog {
  readonly log: EmbeddedLog
  readonly folder: string
  readonly readers: readonly EventLog[]
}

/**
 * A handle of its own is a reader in the same thread: it shares nothing with the owner but the data file and the broadcast
 * channel, which are what a worker thread shares with it.
 */
const openIn = (folder: string): OpenedEmbeddedLog => {
  const log = createEmbeddedLog({ folder, role: 'owner' })
  const readers: EventLog[] = []
  return {
    log,
    folder,
    readers,
    openReader: async () => {
      const reader = createEmbeddedLog({ folder, role: 'reader' })
      readers.push(reader)
      return reader
    },
    dispose: async () => {
      for (const handle of [...readers, log]) await handle.close()
      removeFolder(folder)
    },
  }
}

describeEventLog('embedded', {
  open: async () => openIn(createTemporaryFolder()),
  reopen: async ({ log, readers, folder }) => {
    for (const handle of [...readers, log]) await handle.close()
    return openIn(folder)
  },
  truncate: async ({ log }, topic, upTo) => await log.truncate(topic, upTo),
})
