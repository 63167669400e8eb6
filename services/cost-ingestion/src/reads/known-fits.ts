import { type FitHead, type FitHeads, type FittedCluster, fitHeads, fittedClusterOf, readFit } from '@switchyard/costs'
import type { ReadStore } from '@switchyard/kernel'
import { KNOWN_CLUSTER_COUNT_MAX } from '../limits.ts'

/** A latest fit, and whose it is. */
export interface KnownFit {
  readonly head: FitHead
  readonly clusters: readonly FittedCluster[]
}

/** The latest fits of merchants, kept at hand: the same fit is read from the store once. */
export interface KnownFits {
  readonly of: (merchantId: string, life: number) => Promise<readonly KnownFit[]>
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
    known.set(fit.head.fitId, fit)
    clusterCount += fit.clusters.length
    for (const [fitId, oldest] of known) {
      if (clusterCount <= KNOWN_CLUSTER_COUNT_MAX || oldest === fit) break
      forget(fitId, oldest)
    }
  }
  const one = async (merchantId: string, head: FitHead): Promise<KnownFit | undefined> => {
    const found = known.get(head.fitId)
    if (found !== undefined) forget(head.fitId, found)
    const read = found ?? (await readFit(store, merchantId, head))
    if (read === undefined) return undefined
    const fit = 'head' in read ? read : { head, clusters: read.clusters.map(fittedClusterOf) }
    remember(fit)
    return fit
  }

  return {
    of: async (merchantId, life) => {
      const heads = (await store.get<FitHeads>(fitHeads.name, [merchantId, life]))?.body.heads ?? []
      const fits: KnownFit[] = []
      for (const head of heads) {
        const fit = await one(merchantId, head)
        if (fit !== undefined) fits.push(fit)
      }
      return fits
    },
  }
}
