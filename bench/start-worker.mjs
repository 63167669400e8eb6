// One task of the benchmark of starts in a process of its own: `write` a history into the log of a data folder, with the snapshot behind it.
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { writeHistory } from './history.mjs'
import { replayEvents } from './replay-events.mjs'
import { logFolderOf, storeSnapshots } from './snapshots.mjs'
import { runTask } from './worker-task.mjs'

const write = async ({ folder, eventCount }) => {
  const log = createEmbeddedLog({ folder: logFolderOf(folder), role: 'owner' })
  const written = await writeHistory(log, 'payments', replayEvents(eventCount))
  await log.close()
  await storeSnapshots(folder)
  return written
}

await runTask({ write })
