import type { Band } from '../statistics/band.ts'
import type { Bucket } from '../statistics/contribution.ts'
import { RunningSums } from '../statistics/sums.ts'
import type { BandSums } from './grade.ts'

/** Payments of all days and channels by band. */
export const bandSumsOf = (buckets: readonly Bucket[]): BandSums => {
  const bands = new Map<Band, RunningSums>()
  for (const { band, sums } of buckets) bands.set(band, (bands.get(band) ?? new RunningSums()).add(sums))
  return bands
}
