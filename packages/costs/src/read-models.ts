import type { CollectionSpec } from '@switchyard/kernel'
import { datedFitHeadsCollection, datedFitsCollection } from './fits/dated-fits.ts'
import { fitHeadsCollection } from './fits/fit-heads.ts'
import { latestFitsCollection } from './fits/latest-fits.ts'
import { costIngestionsCollection } from './ingestions/cost-ingestions.ts'
import { noticedChangesCollection } from './ingestions/noticed-changes.ts'
import { reportContributionsCollection } from './ingestions/report-contributions.ts'

/** The collections of all read models of the topic `costs`. */
export const costCollections: readonly CollectionSpec[] = [
  latestFitsCollection,
  fitHeadsCollection,
  datedFitsCollection,
  datedFitHeadsCollection,
  costIngestionsCollection,
  reportContributionsCollection,
  noticedChangesCollection,
]
