import {
  CLOCK_ERROR_MS,
  costIngestions,
  type FitHead,
  type FitHeads,
  fitHeads,
  type Ingestion,
  latestFits,
  packedChunk,
  readFit,
  type StoredFitChunk,
  UNFITTED_INDEX,
} from '@switchyard/costs'
import type { CostsEvent } from '@switchyard/events'
import { OperatingError, type RangeQuery } from '@switchyard/kernel'
import { type CostJournal, type ExpectedVersionOf, INGESTION } from '../journal.ts'
import { FIT_ATTEMPTS_MAX, FIT_RECORD_COUNT, UNFITTED_LOOK_COUNT } from '../limits.ts'
import type { Parts } from '../parts.ts'
import type { ContributionPart } from './fitting.ts'
import { type AccountPlace, contributionHeadOf, countedReports, readChunks } from './read-contributions.ts'

/** What learning works with. */
type FitterParts = Pick<Parts, 'store' | 'fitReports' | 'now' | 'newId'> & {
  readonly journal: Pick<CostJournal, 'record' | 'readIndex'>
}

/** Learns the costs of accounts anew when their reports have changed. */
export interface Fitter {
  /** Resolves when a fit that began after this call is recorded and projected. One account after the other; rejects with what failed. */
  readonly learn: (place: AccountPlace) => Promise<void>
  /** Accounts with reports that are not in their fit for so long, milliseconds. */
  readonly unfitted: (forMs: number) => Promise<readonly AccountPlace[]>
}

const isOf = ({ merchantId, life, connector, account }: Ingestion, place: AccountPlace): boolean =>
  merchantId === place.merchantId && life === place.life && connector === place.connector && account === place.account

const unfittedReports = async ({ store }: FitterParts, since: Pick<RangeQuery, 'from' | 'to'>): Promise<readonly Ingestion[]> => {
  const query = { collection: costIngestions.name, index: UNFITTED_INDEX, prefix: [], order: 'ascending', ...since } as const
  return (await store.range<Ingestion>({ ...query, limit: UNFITTED_LOOK_COUNT })).map(({ body }) => body)
}

const headOf = async ({ store }: FitterParts, place: AccountPlace): Promise<FitHead | undefined> => {
  const stored = await store.get<FitHeads>(fitHeads.name, [place.merchantId, place.life])
  return stored?.body.heads.find(({ connector, account }) => connector === place.connector && account === place.account)
}

/** How often the account was fitted, whoever the merchant id belonged to: chunks of a fit stand in for those of a lower number. */
const fitCountOf = async ({ store }: FitterParts, { merchantId, connector, account }: AccountPlace): Promise<number> => {
  const keys = [0, 1].map((half) => [merchantId, connector, account, half, 0])
  const stored = await store.getMany<StoredFitChunk>(latestFits.name, keys)
  return Math.max(0, ...stored.map((first) => first?.body.chunk?.fitCount ?? 0))
}

const byId = (ingestions: readonly Ingestion[]): readonly Ingestion[] => [
  ...new Map(ingestions.map((ingestion) => [ingestion.ingestionId, ingestion])).values(),
]

/** A fit that is to be recorded. */
interface MadeFit {
  readonly fitId: string
  /** Reports that it was made of. */
  readonly madeOf: ReadonlySet<string>
  /** The fit and what goes with it, in the order in which it is recorded: who sees that a report is in it sees the fit. */
  readonly events: readonly CostsEvent[]
  /** A report that is deleted meanwhile is still in this fit: that it was fitted is no word on its deletion. */
  readonly expectedVersionOf: ExpectedVersionOf
}

const makeFit = async (parts: FitterParts, place: AccountPlace): Promise<MadeFit> => {
  const { store, now, newId } = parts
  const { merchantId, life, connector, account } = place
  const at = now()
  const found = (await unfittedReports(parts, {})).filter((one) => isOf(one, place))
  const counted = await countedReports(store, place)
  // Of other accounts there may be so many that not all of this one were found among them.
  const unfitted = byId([...found, ...counted.filter(({ unfittedSince }) => unfittedSince !== undefined)])
  const head = await headOf(parts, place)
  const fitCount = 1 + (await fitCountOf(parts, place))
  const identity = { merchantId, merchantRegistrationCount: life, connector, account, fitId: newId(), fitCount, at }
  const contributionParts = async function* (): AsyncGenerator<ContributionPart> {
    for (const ingestion of counted)
      for await (const chunk of readChunks(store, ingestion)) yield { head: contributionHeadOf(ingestion), chunk: packedChunk(chunk) }
  }
  const { events, changes, touched } = await parts.fitReports({
    identity,
    parts: contributionParts(),
    previous: head && (await readFit(store, merchantId, head)),
    newIds: unfitted.map(({ ingestionId }) => ingestionId),
  })
  const { fitId } = identity
  const reportDate = new Date(at).toISOString().slice(0, 10)
  const common = { merchantId, merchantRegistrationCount: life, fitId, reportDate, at }
  const countsOf = new Map(touched.map(({ ingestionId, ...counts }) => [ingestionId, counts]))
  const all = [
    ...events,
    ...(changes.length > 0 ? [{ type: 'PriceChangesNoticed' as const, data: { ...common, connector, account, changes } }] : []),
    ...unfitted.map(({ ingestionId }) => ({
      type: 'IngestionFitted' as const,
      data: { ...common, ingestionId, ...(countsOf.get(ingestionId) ?? { clusterCount: 0, goodClusterCount: 0 }) },
    })),
  ]
  const versionOf = new Map(unfitted.map(({ ingestionId, version }) => [ingestionId, version]))
  return {
    fitId,
    madeOf: new Set(counted.map(({ ingestionId }) => ingestionId)),
    events: all,
    expectedVersionOf: ({ type, data }) => (type === 'IngestionFitted' ? versionOf.get(data.ingestionId) : undefined),
  }
}

/**
 * Whether a recorded fit stands: another process may have learned from the same account meanwhile. Then its fit stands in place of this
 * one, or this one in place of a fit of newer reports, which nobody would look at again.
 */
const stands = async (parts: FitterParts, place: AccountPlace, { fitId, madeOf }: MadeFit): Promise<boolean> => {
  const head = await headOf(parts, place)
  if (head?.fitId !== fitId) return false
  const counted = await countedReports(parts.store, place)
  if (counted.some(({ ingestionId, status }) => status === 'COMPLETED' && !madeOf.has(ingestionId))) return false
  const countedIds = new Set(counted.map(({ ingestionId }) => ingestionId))
  const keys = [...madeOf].filter((id) => !countedIds.has(id)).map((id) => [place.merchantId, place.life, id])
  const gone = keys.length === 0 ? [] : await parts.store.getMany<Ingestion>(costIngestions.name, keys)
  return !gone.some((ingestion) => ingestion?.body.status === 'DELETED' && ingestion.body.unfittedSince === undefined)
}

/** A {@link Fitter}: fits of this process are made one after the other, as each may need a lot of memory. */
export const createFitter = (parts: FitterParts): Fitter => {
  const { journal } = parts
  const waiting = new Map<string, Promise<void>>()
  let last: Promise<void> = Promise.resolve()

  const fitOnce = async (place: AccountPlace): Promise<boolean> => {
    await journal.readIndex(place.merchantId)
    const made = await makeFit(parts, place)
    for (let from = 0; from < made.events.length; from += FIT_RECORD_COUNT)
      await journal.record(made.events.slice(from, from + FIT_RECORD_COUNT), INGESTION, made.expectedVersionOf)
    await journal.readIndex(place.merchantId)
    return await stands(parts, place, made)
  }

  const fitNow = async (place: AccountPlace): Promise<void> => {
    for (let attempt = 0; attempt < FIT_ATTEMPTS_MAX; attempt++) if (await fitOnce(place)) return
    throw new OperatingError('QUERY_UNAVAILABLE', 'others learn from the same account all the time', { retryable: true })
  }

  return {
    learn: (place) => {
      const key = JSON.stringify([place.merchantId, place.life, place.connector, place.account])
      const known = waiting.get(key)
      if (known !== undefined) return known
      const mine = last.then(async () => {
        waiting.delete(key)
        await fitNow(place)
      })
      waiting.set(key, mine)
      last = mine.catch(() => {})
      return mine
    },
    unfitted: async (forMs) => {
      const places = new Map<string, AccountPlace>()
      const at = parts.now()
      // Those of a clock that was wrong are hours ahead.
      const reports = [
        ...(await unfittedReports(parts, { to: at - forMs })),
        ...(await unfittedReports(parts, { from: at + CLOCK_ERROR_MS })),
      ]
      for (const { merchantId, life, connector, account } of reports)
        places.set(JSON.stringify([merchantId, life, connector, account]), { merchantId, life, connector, account })
      return [...places.values()]
    },
  }
}
