import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { type PaymentTimeline, paymentTimelines } from '@switchyard/analytics'
import { domainCollections } from '@switchyard/composition'
import { EVENT_CATALOGUE } from '@switchyard/events'
import { type EventLog, type NewRecord, type Position, type ReadStore, TOPICS, type Topic } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { CHECKPOINTS_COLLECTION, SNAPSHOTS_COLLECTION, STREAM_STATES_COLLECTION } from '@switchyard/runtime'
import { documentsOf, projectAnew } from '../support/replay.ts'

/** Recorded by `npm run golden:record`: one folder a release, never edited. */
const RECORDED = fileURLToPath(new URL('recorded/', import.meta.url))
/** More than any recorded log gives. */
const DOCUMENTS_MAX = 10_000
/** Partitions that the recorded logs have. */
const PARTITION_COUNT = 4

interface RecordedLine extends Omit<NewRecord, 'value'> {
  readonly topic: Topic
  readonly position: Position
  readonly value: string
}

const linesOf = (release: string): readonly RecordedLine[] =>
  readFileSync(`${RECORDED}${release}/log.ndjson`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const logOf = async (lines: readonly RecordedLine[]): Promise<EventLog> => {
  const log = createMemoryLog({ partitionCount: PARTITION_COUNT })
  for (const topic of TOPICS) {
    const own = lines.filter((line) => line.topic === topic)
    const records = own.map(({ key, headers, value }) => ({ key, headers, value: new Uint8Array(Buffer.from(value, 'base64')) }))
    expect(await log.append(topic, records)).toEqual(own.map(({ position }) => position))
  }
  return log
}

/** A view of another shape has another number in its name; what it tells of the same history stays. */
const unnumbered = (name: string): string => name.replace(/-v\d+$/, '')

/** Differences by their fields, not in a list: a later release may tell more of a change. */
const byField = (name: string, value: unknown): unknown =>
  name === 'differences' && Array.isArray(value) ? Object.fromEntries(value.map((difference) => [difference.field, difference])) : value

/** Releases that kept where a request is found in a collection of its own kept this there. */
const REQUESTS = 'payment-requests'

/** The same, of what the timelines tell now: the newest one that a request added to. */
const foundByRequests = async (store: ReadStore): Promise<object> => {
  const everything = { collection: paymentTimelines.name, prefix: [], order: 'ascending', limit: DOCUMENTS_MAX } as const
  const timelines = await store.range<PaymentTimeline>(everything)
  const oldestFirst = timelines.map(({ body }) => body).sort((a, b) => a.firstSeenMs - b.firstSeenMs)
  const found = oldestFirst.flatMap(({ merchantId, summaryKind, lookupKey, requestIds }) =>
    requestIds.map((id) => [JSON.stringify([merchantId, summaryKind, id]), { body: { lookupKey } }]),
  )
  return Object.fromEntries(found)
}

/** Releases until 0.8.0 counted outcomes here of payments that success rates had not decided. */
const TRAFFIC = 'cluster-traffic'

const withoutOutcomes = (view: object): object =>
  JSON.parse(JSON.stringify(view, (name, value) => (name === 'approvedCount' || name === 'declinedCount' ? undefined : value)))

/** Releases until 0.8.0 did not tell here which person a change was about. */
const CHANGES = 'change-journal'

const withoutUntold = (view: object): object =>
  JSON.parse(JSON.stringify(view, (name, value) => (name === 'subjectId' && value === null ? undefined : value)))

const withoutPositions = (documents: object): object =>
  Object.fromEntries(Object.entries(documents).map(([key, { body }]) => [key, { body }]))

/** What of a view as it was recorded holds for every later release. */
const lastingOf = (name: string, view: object): object => {
  if (name === REQUESTS) return withoutPositions(view)
  if (name === CHANGES) return withoutUntold(view)
  return name === TRAFFIC ? withoutOutcomes(view) : view
}

/** Views; snapshots and checkpoints have the form of a release, not of the history. */
const viewsOf = async (log: EventLog): Promise<object> => {
  const { store } = await projectAnew(log)
  const views: Record<string, object> = {}
  for (const { name } of domainCollections) {
    if (name === SNAPSHOTS_COLLECTION || name === CHECKPOINTS_COLLECTION) continue
    const documents = await documentsOf(store, name)
    // States are kept a generation for each list of slices: its name is of this release, the states are history.
    const keyOf = (key: string): string => (name === STREAM_STATES_COLLECTION ? JSON.stringify(JSON.parse(key).slice(1)) : key)
    views[unnumbered(name)] = Object.fromEntries([...documents].map(([key, document]) => [keyOf(key), document]))
  }
  return { ...views, [REQUESTS]: await foundByRequests(store) }
}

describe.each(readdirSync(RECORDED))('the log of release %s', (release) => {
  const lines = linesOf(release)
  const viewsFile = `${RECORDED}${release}/views.json`

  test('replays to the views of that release', async () => {
    const views = JSON.stringify(await viewsOf(await logOf(lines)), null, 1)
    if (process.env['GOLDEN_RECORD'] === release && !existsSync(viewsFile)) writeFileSync(viewsFile, `${views}\n`)
    // A later release may know more of the same history, never something else.
    const recorded: Readonly<Record<string, object>> = JSON.parse(readFileSync(viewsFile, 'utf8'), byField)
    expect(JSON.parse(views, byField)).toMatchObject(
      Object.fromEntries(Object.entries(recorded).map(([name, view]) => [unnumbered(name), lastingOf(unnumbered(name), view)])),
    )
  })
})

test('the newest recorded log holds every kind of event', () => {
  const newest = readdirSync(RECORDED).sort().at(-1) ?? ''
  const recorded = new Set(linesOf(newest).map(({ headers }) => headers.type))
  expect(Object.values(EVENT_CATALOGUE).filter(({ subject }) => !recorded.has(subject))).toEqual([])
})
