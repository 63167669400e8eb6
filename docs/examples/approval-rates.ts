// Approval rates by gateway, recomputed from the topic `payments`. See docs/consuming-events.md.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { exportedRecords, type OutcomeRecorded, type ReadEventsOptions, type RecordSource, readEvents } from '@switchyard/events'
import { type KafkaLog, openKafkaLog } from '@switchyard/log-kafka'

/** A file of `switchyard replay --format records`. */
export const fromFile = (path: string): RecordSource => exportedRecords(() => createInterface({ input: createReadStream(path) }))

/** The topics in a cluster; close it when it is no longer read. The number of partitions is that of the deployment. */
export const fromKafka = async (brokers: readonly string[], topicPrefix: string, partitionCount: number): Promise<KafkaLog> =>
  await openKafkaLog({ brokers, clientId: 'approval-rates', topicPrefix, partitionCount, replicationFactor: 3, createsTopics: false })

/** What a gateway did with the payments that it got. */
export interface ApprovalRate {
  readonly gateway: string
  readonly approved: number
  readonly declined: number
  readonly pending: number
  /** Of what is settled, 0 to 1; null when nothing is. */
  readonly rate: number | null
}

type Outcome = 'approved' | 'declined' | 'pending'

const classOf = ({ statusClass, enforceFailure }: OutcomeRecorded['data']): Outcome => {
  if (enforceFailure || statusClass === 'FAILURE') return 'declined'
  return statusClass === 'SUCCESS' ? 'approved' : 'pending'
}

/** Counts the outcomes of a merchant in a span of time; a report that says the same of a payment again counts once. */
export const approvalRates = async (
  source: RecordSource,
  wanted: Pick<ReadEventsOptions<'payments'>, 'merchantId' | 'from' | 'to' | 'schemaIds'>,
): Promise<readonly ApprovalRate[]> => {
  const counts = new Map<string, Record<Outcome, number>>()
  const settled = new Map<string, Outcome>()
  const contradicted = new Set<string>()
  for await (const { event } of readEvents({ source, topic: 'payments', ...wanted })) {
    if (event.type !== 'OutcomeRecorded') continue
    const { paymentId, gateway } = event.data
    const outcome = classOf(event.data)
    const attempt = JSON.stringify([paymentId, gateway])
    const before = settled.get(attempt)
    if (before === outcome || (outcome === 'declined' && contradicted.has(attempt))) continue
    // An approval stands: what declines it afterwards counts once.
    if (before === 'approved' && outcome === 'declined') contradicted.add(attempt)
    else if (outcome !== 'pending') settled.set(attempt, outcome)
    const count = counts.get(gateway) ?? { approved: 0, declined: 0, pending: 0 }
    count[outcome] += 1
    counts.set(gateway, count)
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([gateway, count]) => {
      const total = count.approved + count.declined
      return { gateway, ...count, rate: total === 0 ? null : count.approved / total }
    })
}
