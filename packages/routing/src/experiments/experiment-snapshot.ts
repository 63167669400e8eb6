import { OperatingError } from '@switchyard/kernel'
import type { ByteReader, ByteWriter } from '../outcomes/bytes.ts'
import type { Arm } from './experiment.ts'
import {
  type AssignedPayment,
  type ExperimentLimits,
  ExperimentPayments,
  type ExperimentSegment,
  type ExperimentStanding,
} from './experiment-payments.ts'

const ARMS: readonly Arm[] = ['CONTROL', 'VARIANT']
const STANDINGS: readonly ExperimentStanding[] = ['open', 'failed', 'succeeded']

const member = <Value>(values: readonly Value[], index: number): Value => {
  const value = values[index]
  if (value === undefined) {
    throw new OperatingError('RECORD_UNREADABLE', 'the snapshot has a word of experiments that is unknown', { retryable: false })
  }
  return value
}

const writeSegment = (writer: ByteWriter, segment: ExperimentSegment): void => {
  writer.text(segment.paymentMethodType)
  writer.text(segment.paymentMethod)
  writer.textOrNull(segment.cardNetwork)
  writer.text(segment.currency)
  writer.textOrNull(segment.country)
}

const readSegment = (reader: ByteReader): ExperimentSegment => ({
  paymentMethodType: reader.text(),
  paymentMethod: reader.text(),
  cardNetwork: reader.textOrNull(),
  currency: reader.text(),
  country: reader.textOrNull(),
})

/** A number that may be missing. */
const writeNumberOrNull = (writer: ByteWriter, value: number | null): void => {
  writer.count(value === null ? 0 : 1)
  if (value !== null) writer.number(value)
}

const readNumberOrNull = (reader: ByteReader): number | null => (reader.count() === 1 ? reader.number() : null)

/** The payments of experiments as bytes. */
export const writeExperiments = (writer: ByteWriter, payments: ExperimentPayments): void => {
  writer.count(payments.size)
  for (const [paymentId, payment] of payments.entries()) {
    writer.text(paymentId)
    writer.text(payment.experimentId)
    writer.count(ARMS.indexOf(payment.arm))
    writer.count(payment.isStatic ? 1 : 0)
    writer.integer(payment.at)
    writer.text(payment.gateway)
    writer.number(payment.amount)
    writeNumberOrNull(writer, payment.costBps)
    writeNumberOrNull(writer, payment.savedBps)
    writeSegment(writer, payment.segment)
    writer.count(STANDINGS.indexOf(payment.standing))
  }
}

const readPayment = (reader: ByteReader): AssignedPayment => ({
  experimentId: reader.text(),
  arm: member(ARMS, reader.count()),
  isStatic: reader.count() === 1,
  at: reader.integer(),
  gateway: reader.text(),
  amount: reader.number(),
  costBps: readNumberOrNull(reader),
  savedBps: readNumberOrNull(reader),
  segment: readSegment(reader),
  standing: member(STANDINGS, reader.count()),
})

/** What {@link writeExperiments} wrote. */
export const readExperiments = (reader: ByteReader, limits: ExperimentLimits): ExperimentPayments => {
  const payments = new ExperimentPayments(limits)
  reader.list(() => {
    payments.restore(reader.text(), readPayment(reader))
  })
  return payments
}
