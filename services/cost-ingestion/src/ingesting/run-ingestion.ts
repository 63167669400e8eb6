import { columnsOf, dayAt, dominantRates, type FitHeads, fitHeads, type Ingestion, readBinRates, reportColumns } from '@switchyard/costs'
import type { BinRateSeen } from '@switchyard/events'
import { FetchFailed } from '../fetching/fetch-json.ts'
import { INGESTION, type IngestionPlace } from '../journal.ts'
import { FILE_WAIT_MAX_MS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import type { ReadingOutcome } from '../reading/reading.ts'
import { isOutOfMemory } from '../threads/run-in-thread.ts'
import { fetchFile } from './fetch-file.ts'
import { ClaimLost, keepLease, type Lease } from './lease.ts'

/** How an attempt ended; `left`: it is not this process's to do. */
export type IngestionEnd = 'ingested' | 'failed' | 'left'

/** Card products by BIN, as the latest fits of the merchant tell them. */
const productsOf = async ({ store }: Parts, { merchantId, life }: IngestionPlace): Promise<ReadonlyMap<string, string>> => {
  const heads = (await store.get<FitHeads>(fitHeads.name, [merchantId, life]))?.body.heads ?? []
  const rates: (readonly BinRateSeen[])[] = []
  for (const head of heads) rates.push(await readBinRates(store, merchantId, head))
  return dominantRates(rates.flat())
}

const read = async (parts: Parts, ingestion: Ingestion, lease: Lease): Promise<ReadingOutcome & { readonly chunkCount: number }> => {
  const { journal, states, spool, now } = parts
  const { merchantId, life, ingestionId, connector, account, claimId } = ingestion
  const ids = { merchantId, ingestionId, claimId, merchantRegistrationCount: life }
  let chunkCount = 0
  // Its columns may have been mapped a moment ago, at another process.
  await states.readIndex(merchantId)
  const request = {
    path: spool.pathOf(ingestionId),
    connector,
    columns: columnsOf(states.stateOf(reportColumns, merchantId), connector, account),
    productByBin: await productsOf(parts, ingestion),
    ingestedOn: dayAt(now()),
  }
  const outcome = await parts.readReport(
    request,
    {
      advanced: lease.advanced,
      chunk: async (chunk) => {
        const data = { ...ids, chunkSlot: chunkCount, ...chunk, at: now() }
        chunkCount += 1
        await journal.record([{ type: 'ReportContributionTaken', data }], INGESTION)
      },
    },
    lease.signal,
  )
  return { ...outcome, chunkCount }
}

/** What is told of an attempt that something around it ended. */
const failureOf = (error: unknown): { readonly message: string; readonly fails: 'always' | 'now' } => {
  if (error instanceof FetchFailed) return { message: error.message, fails: error.fails }
  return isOutOfMemory(error)
    ? { message: 'reading the file needs more memory than it may have', fails: 'always' }
    : { message: 'the file could not be read to its end', fails: 'now' }
}

const attempt = async (parts: Parts, ingestion: Ingestion, lease: Lease): Promise<IngestionEnd> => {
  const { journal, now } = parts
  const { claimId } = ingestion
  if (!(await parts.spool.has(ingestion.ingestionId))) await fetchFile(parts, ingestion, lease.signal)
  const outcome = await read(parts, ingestion, lease)
  if (outcome.kind === 'refused') {
    const { message, problems } = outcome
    await journal.decide(ingestion, { type: 'FailIngestion', claimId, message, problems, fails: 'always', at: now() }, INGESTION)
    return 'failed'
  }
  const { rowCount, report, problems, chunkCount } = outcome
  const finish = { type: 'FinishIngestion', claimId, rowCount, report: { ...report, chunkCount }, problems, at: now() } as const
  const finished = await journal.decide(ingestion, finish, INGESTION)
  return finished.accepted ? 'ingested' : 'left'
}

/** Whether another process may have the file of an upload. */
const mayBeElsewhere = ({ isAlone, now }: Parts, { createdAt }: Ingestion): boolean => !isAlone && now() - createdAt < FILE_WAIT_MAX_MS

/** Begins with an ingestion that is due, and reads its file; nobody else does at the same time. */
export const runIngestion = async (
  parts: Parts,
  found: Ingestion,
  { hold, takesOver }: { readonly hold: (lease: Lease) => void; readonly takesOver: boolean },
): Promise<IngestionEnd> => {
  const { journal, spool, now, newId, report } = parts
  const hasFile = found.reference !== null || (await spool.has(found.ingestionId))
  if (!hasFile && mayBeElsewhere(parts, found)) return 'left'
  const claimId = newId()
  const claimed = await journal.decide(found, { type: 'StartIngestion', claimId, takesOver, at: now() }, INGESTION)
  if (!claimed.accepted || claimed.ingestion.claimId !== claimId) return 'left'
  const lease = keepLease(parts, found, claimId)
  hold(lease)
  const fail = async (message: string, fails: 'always' | 'now'): Promise<IngestionEnd> => {
    await journal.decide(found, { type: 'FailIngestion', claimId, message, problems: [], fails, at: now() }, INGESTION)
    return 'failed'
  }
  try {
    if (!hasFile) return await fail('the file is not there any more; upload it again', 'always')
    return await attempt(parts, claimed.ingestion, lease)
  } catch (error) {
    if (error instanceof ClaimLost) return 'left'
    if (!(error instanceof FetchFailed)) report.failed(`the report ${found.ingestionId} could not be taken in`, error)
    const { message, fails } = failureOf(error)
    return await fail(message, fails)
  } finally {
    await lease.stop()
  }
}
