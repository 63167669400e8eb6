import type { CollectionSpec, DocumentKey, DocumentProjection } from '@switchyard/kernel'
import { endedBy, keyPart, merchantOf } from '../keys.ts'
import { type Arm, type ExperimentEffect, type ExperimentStanding, experimentsOf, type RecordedPayment } from '../recorded-payment.ts'

/** A payment of an experiment. */
export interface ExperimentPayment {
  readonly merchantId: string
  readonly experimentId: string
  readonly paymentId: string
  readonly arm: Arm
  /** The gateway that was decided. */
  readonly gateway: string
  readonly standing: ExperimentStanding
  /** Epoch milliseconds. */
  readonly assignedMs: number
  /** Of the newest event that changed anything, epoch milliseconds. */
  readonly lastEventMs: number
}

const keyOf = ({ merchantId, experimentId, paymentId }: ExperimentEffect): DocumentKey => [
  keyPart(merchantId),
  keyPart(experimentId),
  keyPart(paymentId),
]

const isOf = (effect: ExperimentEffect, key: DocumentKey): boolean => keyOf(effect).every((part, index) => part === key[index])

/** The payments of experiments, each with its arm and what became of it (analytics.md 6.6). */
export const experimentPayments: DocumentProjection<ExperimentPayment, RecordedPayment> = {
  name: 'experiment-payments-v1',
  endedBy,

  keysOf: (record) => {
    const keys = experimentsOf(record).map(keyOf)
    return keys.length < 2 ? keys : [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
  },

  initialView: (key) => ({
    merchantId: merchantOf(key),
    experimentId: String(key[1]),
    paymentId: String(key[2]),
    arm: 'CONTROL',
    gateway: '',
    standing: 'open',
    assignedMs: 0,
    lastEventMs: 0,
  }),

  project: (view, record, key) => {
    let next = view
    for (const effect of experimentsOf(record)) {
      if (!isOf(effect, key)) continue
      const { paymentId, arm, gateway, standing, assignedAt, at } = effect
      next = { ...next, paymentId, arm, gateway, standing, assignedMs: assignedAt, lastEventMs: Math.max(next.lastEventMs, at) }
    }
    return next
  },
}

/** Declared order: by the newest event, within an experiment. */
export const PAYMENTS_BY_LAST_EVENT = 'by-last-event'

/** The collection and the order that lists go by. */
export const experimentPaymentsCollection: CollectionSpec = {
  name: experimentPayments.name,
  indexes: [{ name: PAYMENTS_BY_LAST_EVENT, fields: ['merchantId', 'experimentId', 'lastEventMs'] }],
}
