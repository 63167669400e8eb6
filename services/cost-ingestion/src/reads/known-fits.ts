import {
  datedFitHeads,
  type FitHead,
  type FitHeads,
  type FittedCluster,
  fitHeads,
  fittedClusterOf,
  type LearnedFit,
  readDatedFit,
  readFit,
} from '@switchyard/costs'
import type { DocumentKey, ReadStore } from '@switchyard/kernel'
import { KNOWN_CLUSTER_COUNT_MAX } from '../limits.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A fit, and whose it is. */
export interface KnownFit {
  readonly head: FitHead
  readonly clusters: readonly FittedCluster[]
}

/** A registration of a merchant. */
interface Owner {
  readonly merchantId: string
  readonly life: number
}

/** The fits of merchants, kept at hand: the same fit is read from the store once. */
export interface KnownFits {
  /** The latest fits of all accounts, or the last ones of a day, `YYYY-MM-DD`: none where it is no day. */
  readonly of: (owner: Owner, reportDate?: string) => Promise<readonly KnownFit[]>
}

/** {@link KnownFits} over the documents; the least recently asked leave when there are too many clusters. */
export const createKnownFits = (store: ReadStore): KnownFits => {
  const known = new Map<string, KnownFit>()
  let clusterCount = 0

  const forget = (fitId: string, fit: KnownFit): void => {
    known.delete(fitId)
    clusterCount -= fit.clusters.length
  }
  const remember = (fit: KnownFit): void => {
    // Another one may have read it at the same time.
    const before = known.get(fit.head.fitId)
    if (before !== undefined) forget(fit.head.fitId, before)
    known.set(fit.head.fitId, fit)
    clusterCount += fit.clusters.length
    for (const [fitId, oldest] of known) {
      if (clusterCount <= KNOWN_CLUSTER_COUNT_MAX || oldest === fit) break
      forget(fitId, oldest)
    }
  }
  const one = async (head: FitHead, readNow: () => Promise<LearnedFit | undefined>): Promise<KnownFit | undefined> => {
    const found = known.get(head.fitId)
    const read = found ?? (await readNow())
    if (read === undefined) return undefined
    const fit = 'head' in read ? read : { head, clusters: read.clusters.map(fittedClusterOf) }
    remember(fit)
    return fit
  }
  const headsOf = async (collection: string, key: DocumentKey): Promise<readonly FitHead[]> =>
    (await store.get<FitHeads>(collection, key))?.body.heads ?? []

  return {
    of: async (owner, reportDate) => {
      const { merchantId, life } = owner
      if (reportDate !== undefined && !DAY.test(reportDate)) return []
      const latest = await headsOf(fitHeads.name, [merchantId, life])
      const heads = reportDate === undefined ? latest : await headsOf(datedFitHeads.name, [merchantId, life, reportDate])
      const isLatest = (fitId: string): boolean => latest.some((head) => head.fitId === fitId)
      const fits: KnownFit[] = []
      for (const head of heads) {
        // While a later fit of the day comes, the latest one is still whole.
        const fit = await one(head, () => (isLatest(head.fitId) ? readFit(store, merchantId, head) : readDatedFit(store, owner, head)))
        if (fit !== undefined) fits.push(fit)
      }
      return fits
    },
  }
}
