import type { CollectionSpec } from '@switchyard/kernel'
import { latestFitsCollection } from './fits/latest-fits.ts'

/** The collections of all read models of the topic `costs`. */
export const costCollections: readonly CollectionSpec[] = [latestFitsCollection]
