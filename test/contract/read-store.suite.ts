import { describe } from '@jest/globals'
import type { OpenedStore, ReadStoreAdapter } from './read-store/adapter.ts'
import { describeGenerations } from './read-store/generations.ts'
import { describeModel } from './read-store/model.ts'
import { describeRanges } from './read-store/ranges.ts'
import { describeWriting } from './read-store/writing.ts'

/** What every read store promises. */
export const describeReadStore = <Opened extends OpenedStore>(name: string, adapter: ReadStoreAdapter<Opened>): void => {
  describe(`read store: ${name}`, () => {
    describeWriting(adapter)
    describeRanges(adapter)
    describeGenerations(adapter)
    describeModel(adapter)
  })
}
