import {
  COUNTED_INDEX,
  type ContributionChunk,
  type ContributionHead,
  chunkOfClaim,
  costIngestions,
  type Ingestion,
  reportContributions,
  type StoredContribution,
} from '@switchyard/costs'
import { OperatingError, type ReadStore } from '@switchyard/kernel'
import { COUNTED_REPORTS_MAX, PAGE_COUNT } from '../limits.ts'

/** An account of a registration of a merchant. */
export interface AccountPlace {
  readonly merchantId: string
  readonly life: number
  readonly connector: string
  readonly account: string
}

/** The reports of an account that count, in the order in which they ended; of more than {@link COUNTED_REPORTS_MAX} the latest. */
export const countedReports = async (store: ReadStore, place: AccountPlace): Promise<readonly Ingestion[]> => {
  const { merchantId, life, connector, account } = place
  const query = { collection: costIngestions.name, index: COUNTED_INDEX, prefix: [merchantId, life, connector, account] } as const
  const newestFirst: Ingestion[] = []
  let before: number | undefined
  while (newestFirst.length < COUNTED_REPORTS_MAX) {
    // By place in the order, not by number: reports come and go between two pages.
    const to = before === undefined ? {} : { to: before - 1 }
    const page = await store.range<Ingestion>({ ...query, ...to, order: 'descending', limit: PAGE_COUNT })
    newestFirst.push(...page.map(({ body }) => body))
    before = page.at(-1)?.body.sequence
    if (page.length < PAGE_COUNT || before === undefined) break
  }
  return newestFirst.toReversed()
}

/** Few: each is a hundred kilobytes, and only one is needed at a time. */
const PAGE_OF_CHUNKS = 4

/** What a report adds, chunk by chunk. Rejects when its documents are not whole: they are still being stored, or were dropped just now. */
export async function* readChunks(store: ReadStore, ingestion: Ingestion): AsyncGenerator<ContributionChunk> {
  const { merchantId, life, ingestionId, claimId, report } = ingestion
  const chunkCount = report?.chunkCount ?? 0
  for (let from = 0; from < chunkCount; from += PAGE_OF_CHUNKS) {
    const slots = Array.from({ length: Math.min(PAGE_OF_CHUNKS, chunkCount - from) }, (_, index) => from + index)
    const keys = slots.map((slot) => [merchantId, life, ingestionId, slot])
    for (const stored of await store.getMany<StoredContribution>(reportContributions.name, keys)) {
      const chunk = stored === undefined ? null : chunkOfClaim(stored.body, claimId)
      if (chunk === null)
        throw new OperatingError('QUERY_UNAVAILABLE', `the report ${ingestionId} is not stored as a whole`, { retryable: true })
      yield chunk
    }
  }
}

/** Which report its contribution is of. */
export const contributionHeadOf = ({ ingestionId, acceptedOffset, sequence = 0, coversWholeDays }: Ingestion): ContributionHead => ({
  ingestionId,
  // A large file that a small one corrects may end behind it.
  sequence: acceptedOffset ?? sequence,
  covers: coversWholeDays ? 'whole-days' : 'parts-of-days',
})
