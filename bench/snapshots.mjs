import { join } from 'node:path'
import { domainCollections, domainSlices } from '@switchyard/composition'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFold } from '@switchyard/routing'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { codec } from './history.mjs'

const stopAtOnce = (error) => {
  throw error
}

/** Where a server keeps its log and its store in its data folder. */
export const logFolderOf = (folder) => join(folder, 'log')
export const storeFolderOf = (folder) => join(folder, 'store')

/**
 * Folds the log of a data folder and stores what a start reads, states and snapshots, as the projector does; without its read models,
 * which no start reads. Needs the compiled packages (`npx tsc -b`).
 *
 * @param {string} folder
 */
export const storeSnapshots = async (folder) => {
  const log = createEmbeddedLog({ folder: logFolderOf(folder), role: 'owner' })
  const store = createEmbeddedStore({ folder: storeFolderOf(folder), collections: domainCollections, role: 'writer' })
  const projector = createProjectorService({
    log,
    store,
    codec,
    now: Date.now,
    configSlices: domainSlices,
    configProjections: [],
    createPaymentFold,
    paymentProjections: [],
    costProjections: [],
    onFailure: stopAtOnce,
  })
  await projector.start()
  await projector.caughtUp()
  await projector.stop()
  await store.close()
  await log.close()
}
