import { hash53, OperatingError } from '@switchyard/kernel'
import { readExperiments, writeExperiments } from '../experiments/experiment-snapshot.ts'
import { AgingMap } from './aging-map.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { readHealth, writeHealth } from './health-snapshot.ts'
import type { PaymentFoldLimits } from './limits.ts'
import type { FoldCommons } from './merchant-payments.ts'
import { type MerchantState, openDecisionBook, type Report, type WaitingReports } from './merchant-state.ts'
import { MerchantWindows } from './merchant-windows.ts'
import type { CountedOutcome, OpenDecision } from './open-decision.ts'
import type { PaymentTraits } from './payment-traits.ts'
import { PendingReports } from './pending-reports.ts'
import { RecentNumbers } from './recent-numbers.ts'
import type { StatusClass } from './status-class.ts'
import { readTraits, writeTraits } from './traits-snapshot.ts'
import { readUploads, writeUploads } from './upload-snapshot.ts'

/** Raised with every change of the layout; another version is refused and the fold starts from the log instead. */
const SNAPSHOT_VERSION = 13
/** Raised with every change of the rules by which events are folded: what the same events give now may differ. */
const FOLD_VERSION = 14

const CLASSES: readonly StatusClass[] = ['SUCCESS', 'FAILURE', 'OPEN']

const unreadable = (message: string): OperatingError => new OperatingError('RECORD_UNREADABLE', message, { retryable: false })

/** Names the limits: a fold under other limits has forgotten other things. */
const fingerprintOf = (limits: PaymentFoldLimits): number =>
  hash53(JSON.stringify(Object.entries(limits).sort(([a], [b]) => (a < b ? -1 : 1))))

const writeWindows = (writer: ByteWriter, windows: MerchantWindows): void => {
  writer.count(windows.firstSequence)
  writer.count(windows.passedCount)
  writer.count(windows.size)
  for (const [key, window] of windows.entries()) {
    const { next, realCount, entries } = window.state()
    writer.text(key)
    writer.integer(window.fedAtSeconds)
    writer.count(next)
    writer.count(realCount)
    writer.bits(entries)
  }
}

const readWindows = (reader: ByteReader, limits: PaymentFoldLimits): MerchantWindows => {
  const windows = new MerchantWindows(limits, reader.count(), reader.count())
  reader.list(() => {
    const key = reader.text()
    const fedAtSeconds = reader.integer()
    windows.restore(key, { next: reader.count(), realCount: reader.count(), entries: reader.bits() }, fedAtSeconds)
  })
  return windows
}

/** Equal traits stand once and are named by number, in the order of first use: the bytes depend on the state alone. */
const numberTraits = (
  books: readonly AgingMap<OpenDecision>[],
): ReadonlyMap<string, { readonly number: number; readonly traits: PaymentTraits }> => {
  const numbered = new Map<string, { readonly number: number; readonly traits: PaymentTraits }>()
  for (const book of books) {
    for (const [, { traits }] of book.entries()) {
      if (!numbered.has(traits.key)) numbered.set(traits.key, { number: numbered.size, traits })
    }
  }
  return numbered
}

const UNCOUNTED: readonly CountedOutcome['uncounted'][] = [null, 'excused', 'excused-before', 'told']

const COUNTED_END = 0
const COUNTED_OTHER = 1
const COUNTED_CANDIDATE = 2

/** Newest first; each begins with whether its gateway is a candidate of the decision, by its place, or another one. */
const writeCounted = (writer: ByteWriter, newest: CountedOutcome | null, { candidates }: PaymentTraits): void => {
  for (let outcome = newest; outcome !== null; outcome = outcome.earlier) {
    const candidate = candidates.indexOf(outcome.gateway)
    writer.count(candidate < 0 ? COUNTED_OTHER : COUNTED_CANDIDATE + candidate)
    if (candidate < 0) writer.text(outcome.gateway)
    writer.count(outcome.sequence)
    writer.count(outcome.success ? 1 : 0)
    writer.count(outcome.isFinal ? 1 : 0)
    writer.count(outcome.otherHealth ? 1 : 0)
    writer.count(UNCOUNTED.indexOf(outcome.uncounted))
  }
  writer.count(COUNTED_END)
}

const readCounted = (reader: ByteReader, traits: PaymentTraits): CountedOutcome | null => {
  const kind = reader.count()
  if (kind === COUNTED_END) return null
  const gateway = kind === COUNTED_OTHER ? reader.text() : traits.candidates[kind - COUNTED_CANDIDATE]
  if (gateway === undefined) throw unreadable('the snapshot names a candidate that the decision lacks')
  const sequence = reader.count()
  const success = reader.count() === 1
  const isFinal = reader.count() === 1
  const otherHealth = reader.count() === 1
  const uncounted = UNCOUNTED[reader.count()]
  if (uncounted === undefined) throw unreadable('the snapshot has a kind of outcome that is unknown')
  return { gateway, sequence, success, isFinal, otherHealth, uncounted, earlier: readCounted(reader, traits) }
}

const writeBook = (writer: ByteWriter, book: AgingMap<OpenDecision>, numberOf: (traits: PaymentTraits) => number): void => {
  writer.count(book.size)
  for (const [paymentId, { at, traits, cardIsIn, epoch, counted }] of book.entries()) {
    writer.text(paymentId)
    writer.integer(at)
    writer.count(numberOf(traits))
    writer.textOrNull(cardIsIn)
    writer.count(epoch)
    writeCounted(writer, counted, traits)
  }
}

/** Fills an empty book. */
const readBook = (reader: ByteReader, book: AgingMap<OpenDecision>, traits: readonly PaymentTraits[]): AgingMap<OpenDecision> => {
  reader.list(() => {
    const paymentId = reader.text()
    const at = reader.integer()
    const shared = traits[reader.count()]
    if (shared === undefined) throw unreadable('the snapshot names traits that it lacks')
    const cardIsIn = reader.textOrNull()
    book.restore(paymentId, { at, traits: shared, cardIsIn, epoch: reader.count(), counted: readCounted(reader, shared) })
  })
  return book
}

const writeWaiting = (writer: ByteWriter, waiting: AgingMap<WaitingReports>): void => {
  writer.count(waiting.size)
  for (const [paymentId, { at, reports }] of waiting.entries()) {
    writer.text(paymentId)
    writer.integer(at)
    writer.count(reports.length)
    for (const report of reports) {
      writer.text(report.requestId)
      writer.integer(report.at)
      writer.text(report.gateway)
      writer.text(report.status)
      writer.count(CLASSES.indexOf(report.statusClass))
      writer.count(report.enforceFailure ? 1 : 0)
      writer.count(report.excused ? 1 : 0)
      writer.count(report.gatewayLatencyMs === null ? 0 : 1)
      writer.number(report.gatewayLatencyMs ?? 0)
    }
  }
}

const readClass = (reader: ByteReader): StatusClass => {
  const statusClass = CLASSES[reader.count()]
  if (statusClass === undefined) throw unreadable('the snapshot has a class of statuses that is unknown')
  return statusClass
}

const readReport = (reader: ByteReader): Report => {
  const fields = {
    requestId: reader.text(),
    at: reader.integer(),
    gateway: reader.text(),
    status: reader.text(),
    statusClass: readClass(reader),
    enforceFailure: reader.count() === 1,
    excused: reader.count() === 1,
  }
  const hasLatency = reader.count() === 1
  const gatewayLatencyMs = reader.number()
  return { ...fields, gatewayLatencyMs: hasLatency ? gatewayLatencyMs : null }
}

const readWaiting = (reader: ByteReader, limits: PaymentFoldLimits): AgingMap<WaitingReports> => {
  const waiting = new AgingMap<WaitingReports>({ countMax: limits.waitingPaymentCountMax, ageMsMax: limits.waitingAgeMs })
  reader.list(() => waiting.restore(reader.text(), { at: reader.integer(), reports: reader.list(() => readReport(reader)) }))
  return waiting
}

const writeRecent = (writer: ByteWriter, recent: RecentNumbers): void => {
  const { newer, older } = recent.state()
  for (const generation of [newer, older]) {
    writer.count(generation.length)
    for (const identity of generation) writer.count(identity)
  }
}

const readRecent = (reader: ByteReader, limits: PaymentFoldLimits): RecentNumbers => {
  const generation = (): readonly number[] => reader.list(() => reader.count())
  return new RecentNumbers(limits.recentEventCountMax, { newer: generation(), older: generation() })
}

const writePending = (writer: ByteWriter, { entries }: PendingReports): void => {
  writer.count(entries.length)
  for (const { dueAt, paymentId, requestId, gateway, status, excused } of entries) {
    writer.integer(dueAt)
    for (const text of [paymentId, requestId, gateway, status]) writer.text(text)
    writer.count(excused ? 1 : 0)
  }
}

const readPending = (reader: ByteReader, limits: PaymentFoldLimits): PendingReports =>
  new PendingReports(
    limits.pendingReportCountMax,
    reader.list(() => ({
      dueAt: reader.integer(),
      paymentId: reader.text(),
      requestId: reader.text(),
      gateway: reader.text(),
      status: reader.text(),
      excused: reader.count() === 1,
    })),
  )

const writeHead = (writer: ByteWriter, limits: PaymentFoldLimits): void => {
  writer.count(SNAPSHOT_VERSION)
  writer.count(FOLD_VERSION)
  writer.count(fingerprintOf(limits))
}

const assertHead = (reader: ByteReader, limits: PaymentFoldLimits): void => {
  if (reader.count() !== SNAPSHOT_VERSION) throw unreadable('the snapshot was written by another version')
  if (reader.count() !== FOLD_VERSION) throw unreadable('the snapshot was folded by other rules')
  if (reader.count() !== fingerprintOf(limits)) throw unreadable('the snapshot was folded under other limits')
}

/** The complete state of a merchant as bytes: equal states under equal limits give equal bytes. */
export const writeSnapshot = (state: MerchantState, limits: PaymentFoldLimits): Uint8Array => {
  const { windows, health, oneOff, recurring, waiting, recent, pending, uploads, experiments, registration, epoch } = state
  const writer = new ByteWriter()
  const numbered = numberTraits([oneOff, recurring])
  const numberOf = ({ key }: PaymentTraits): number => numbered.get(key)?.number ?? 0
  writeHead(writer, limits)
  writeWindows(writer, windows)
  writeHealth(writer, health)
  writer.count(numbered.size)
  for (const { traits } of numbered.values()) writeTraits(writer, traits)
  writeBook(writer, oneOff, numberOf)
  writeBook(writer, recurring, numberOf)
  writeWaiting(writer, waiting)
  writeRecent(writer, recent)
  writePending(writer, pending)
  writeUploads(writer, uploads)
  writeExperiments(writer, experiments)
  writer.count(registration)
  writer.count(epoch)
  return writer.written()
}

/** The state that {@link writeSnapshot} wrote; throws `RECORD_UNREADABLE` for other bytes, versions and limits. */
export const readSnapshot = (bytes: Uint8Array, { limits, traits: shared }: Pick<FoldCommons, 'limits' | 'traits'>): MerchantState => {
  const reader = new ByteReader(bytes)
  assertHead(reader, limits)
  const windows = readWindows(reader, limits)
  const health = readHealth(reader, limits)
  const traits = reader.list(() => shared.kept(readTraits(reader)))
  const state = {
    windows,
    health,
    oneOff: readBook(reader, openDecisionBook(limits, limits.openDecisionAgeMs), traits),
    recurring: readBook(reader, openDecisionBook(limits, limits.recurringDecisionAgeMs), traits),
    waiting: readWaiting(reader, limits),
    recent: readRecent(reader, limits),
    pending: readPending(reader, limits),
    uploads: readUploads(reader, limits),
    experiments: readExperiments(reader, limits),
    registration: reader.count(),
    epoch: reader.count(),
  }
  if (!reader.isAtEnd) throw unreadable('the snapshot goes on behind its end')
  return state
}
