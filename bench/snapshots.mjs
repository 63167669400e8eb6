import { join } from 'node:path'
import { configProjections, costProjections, domainCollections, domainSlices, paymentProjections } from '@switchyard/composition'
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

/** Read models that are as far as the log and have no documents: a start asks how far they are, and reads none. */
const withoutDocuments = (projections) => projections.map((projection) => ({ ...projection, keysOf: () => [] }))

/**
 * Folds the log of a data folder and stores what a start reads, as the projector does: states, snapshots, and how far the read models are.
 * Needs the compiled packages (`npx tsc -b`).
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
    configProjections: withoutDocuments(configProjections),
    createPaymentFold,
    paymentProjections: withoutDocuments(paymentProjections),
    costProjections: withoutDocuments(costProjections),
    onFailure: stopAtOnce,
  })
  await projector.start()
  await projector.caughtUp()
  await projector.stop()
  await store.close()
  await log.close()
}
