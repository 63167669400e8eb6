import { setImmediate as nextTurn } from 'node:timers/promises'
import { chooseByExpectedValue } from '@switchyard/costs'
import { type ReadEventsOptions, readEvents } from '@switchyard/events'
import { BEFORE_FIRST, type EventLog, type SchemaIds } from '@switchyard/kernel'
import {
  type BackTestChanges,
  type BackTestResult,
  type ChooseByCost,
  createBackTest,
  planByStoredAlgorithm,
  type RuleEvaluator,
  type StoredAlgorithm,
} from '@switchyard/routing'

/** Settings to test, as plain data: in place of success rates an algorithm may be named. */
export interface AskedChanges extends Omit<BackTestChanges, 'priorityPlan'> {
  readonly algorithm?: StoredAlgorithm | undefined
}

/** Which of a merchant's decisions are made again, and how. Times in epoch milliseconds; the end is not included. */
export interface BackTestOrder {
  readonly merchantId: string
  readonly changes: AskedChanges
  readonly startMs: number
  readonly endMs: number
  readonly decisionCountMax: number
  /** Nothing before it is of this merchant. */
  readonly historySince: number
}

/** How far a back-test is. */
export interface BackTestProgress {
  readonly eventCount: number
  /** Time of the newest event that was replayed, epoch milliseconds; 0 before the first. */
  readonly reachedMs: number
  readonly result: BackTestResult | null
}

/** What back-tests read. */
export interface BackTestDependencies {
  readonly log: Pick<EventLog, 'read' | 'endPosition' | 'endPositions'>
  readonly schemaIds: SchemaIds
  readonly evaluator: RuleEvaluator
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Windows learn from what happened in the longest of these times before the first decision that is weighed, milliseconds. */
const WARM_UPS_MS: readonly number[] = [30 * DAY_MS, 7 * DAY_MS, DAY_MS, 6 * HOUR_MS]
/** The one for partitions in which more records than {@link WARM_UP_RECORDS_MAX} lie within the others, milliseconds. */
const WARM_UP_MS_MIN = HOUR_MS
const WARM_UP_RECORDS_MAX = 500_000
/** Outcomes are looked for up to this long behind the last decision, milliseconds. */
const OUTCOME_WAIT_MS = 1_800_000

/** As decisions weigh it (cost.md 15), by what is recorded. */
const chooseByCost: ChooseByCost = ({ candidates, authRates, costsBps, down, marginRatio }) => {
  const weighed = candidates.map((gateway, index) => ({
    gateway,
    authRate: authRates[index] ?? 0,
    costBps: costsBps[index] ?? null,
    isDown: down.includes(gateway),
  }))
  return chooseByExpectedValue(weighed, marginRatio).chosen
}

const changesOf = ({ algorithm, ...changes }: AskedChanges, evaluator: RuleEvaluator): BackTestChanges =>
  algorithm === undefined
    ? changes
    : { ...changes, priorityPlan: ({ payment }, candidates) => planByStoredAlgorithm(evaluator, algorithm, payment, candidates) }

/** The partition of the merchant alone, letting others work between two batches; ends early when it is no longer wanted. */
const ownPartition = async (
  { log }: BackTestDependencies,
  merchantId: string,
  signal: AbortSignal,
): Promise<Pick<EventLog, 'read' | 'endPositions'>> => {
  const { partition: own, offset } = await log.endPosition('payments', merchantId)
  const ends = await log.endPositions('payments')
  return {
    endPositions: async () => new Map([[own, offset]]),
    read: async function* (topic, from) {
      const others = [...ends].filter(([partition]) => partition !== own)
      const start = from.get(own)
      for await (const records of log.read(
        topic,
        new Map(start === undefined || start === BEFORE_FIRST ? others : [...others, [own, start]]),
      )) {
        if (signal.aborted) return
        yield records
        await nextTurn()
      }
    },
  }
}

/** What is read, and of whose partition. */
type Reading = Pick<ReadEventsOptions<'payments'>, 'source' | 'schemaIds'>

/** Where the events of a time begin in the partition; undefined when there are none. Of any merchant: one that is seldom seen is not looked for in all that lies between. */
const offsetOf = async (reading: Reading, from: number): Promise<number | undefined> => {
  for await (const { position } of readEvents({ ...reading, topic: 'payments', onUnreadable: () => {}, from })) return position.offset
  return undefined
}

/**
 * How long windows learn before the first decision. A window that begins empty takes a gateway for perfect, and where few payments
 * explore it takes days until it knows better; many records are not read for it, with them it knows sooner.
 */
const warmUpMsOf = async (
  reading: Reading,
  { startMs, historySince }: Pick<BackTestOrder, 'startMs' | 'historySince'>,
): Promise<number> => {
  const start = await offsetOf(reading, startMs)
  if (start === undefined) return WARM_UP_MS_MIN
  for (const warmUpMs of WARM_UPS_MS) {
    const first = await offsetOf(reading, Math.max(startMs - warmUpMs, historySince))
    if (first !== undefined && start - first <= WARM_UP_RECORDS_MAX) return warmUpMs
  }
  return WARM_UP_MS_MIN
}

/** Replays the recorded events of a merchant from the log, and writes nothing; `tell` hears of the progress. Rejects with what the log rejects with. */
export const runBackTest = async (
  order: BackTestOrder,
  dependencies: BackTestDependencies,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (progress: BackTestProgress) => void },
): Promise<void> => {
  const { merchantId, changes, startMs, endMs, decisionCountMax, historySince } = order
  const test = createBackTest({ changes: changesOf(changes, dependencies.evaluator), startMs, endMs, decisionCountMax, chooseByCost })
  const source = await ownPartition(dependencies, merchantId, signal)
  const reading = { source, schemaIds: dependencies.schemaIds }
  const from = Math.max(startMs - (await warmUpMsOf(reading, order)), historySince)
  let eventCount = 0
  let reachedMs = 0
  const span = { merchantId, from, to: endMs + OUTCOME_WAIT_MS }
  for await (const { event } of readEvents({ ...reading, topic: 'payments', onUnreadable: () => {}, ...span })) {
    test.apply(event)
    eventCount += 1
    reachedMs = Math.max(reachedMs, event.data.at)
    tell({ eventCount, reachedMs, result: null })
  }
  tell({ eventCount, reachedMs, result: test.result() })
}
