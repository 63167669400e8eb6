import type { ReadStore } from '@switchyard/kernel'
import { CHECKPOINTS_COLLECTION, type Part } from '@switchyard/runtime'
import { startPatiently } from './patience.ts'
import type { Voices } from './surroundings.ts'

/** The hosts in an address of MongoDB: the rest of it may be secret. */
const hostsIn = (uri: string | undefined): string | undefined => /^[^/]*\/\/(?:[^/?@]*@)?([^/?@]+)(?=[/?]|$)/.exec(uri ?? '')?.[1]

/** The read store of a process, and its address where it is a server: what comes behind it is started when it answers. */
export const readStorePart = (store: ReadStore, { report }: Pick<Voices, 'report'>, uri?: string): Part => ({
  name: 'read store',
  start: async (stopping) => {
    const ask = (): Promise<unknown> => store.get(CHECKPOINTS_COLLECTION, ['is-there'])
    await startPatiently({ what: 'the read store', at: hostsIn(uri), start: ask, report, signal: stopping })
  },
  stop: store.close,
})
