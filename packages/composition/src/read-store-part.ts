import type { ReadStore } from '@switchyard/kernel'
import { CHECKPOINTS_COLLECTION, type Part } from '@switchyard/runtime'
import { startPatiently } from './patience.ts'
import type { Voices } from './surroundings.ts'

/** The read store of a process: what comes behind it is started when it answers. */
export const readStorePart = (store: ReadStore, { report }: Pick<Voices, 'report'>): Part => ({
  name: 'read store',
  start: async (stopping) => {
    const ask = (): Promise<unknown> => store.get(CHECKPOINTS_COLLECTION, ['is-there'])
    await startPatiently({ what: 'the read store', start: ask, report, signal: stopping })
  },
  stop: store.close,
})
