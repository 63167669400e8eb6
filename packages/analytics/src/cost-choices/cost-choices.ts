import type { CostChoice, GatewayDecided } from '@switchyard/events'
import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import { endedBy, keyPart, merchantOf } from '../keys.ts'
import { reportedClassOf } from '../outcome-status.ts'
import { type Disposition, type OutcomeEffect, outcomesOf, type RecordedPayment } from '../recorded-payment.ts'
import type { Cluster } from '../rollups/score-rollups.ts'

/** A payment whose approval and cost were weighed, and what became of it; of several decisions the last. */
export interface WeighedPayment {
  readonly merchantId: string
  /** Epoch milliseconds. */
  readonly decidedMs: number
  readonly cluster: Cluster
  /** The gateway that was decided. */
  readonly gateway: string
  readonly currency: string
  /** Major units. */
  readonly amount: number
  readonly outcome: 'COST_WON' | 'AUTH_WON'
  /** Null unless cost won. */
  readonly costSavedBps: number | null
  /** Share of the amount that an approved payment earns. */
  readonly margin: number
  /** Expected approval of the best gateway less that of the decided one. */
  readonly authGivenUp: number
  /** Whether the decided gateway has approved it; null as long as nothing says so. */
  readonly isApproved: boolean | null
}

/** The document of a payment; null before it was weighed. */
export interface StoredChoice {
  readonly merchantId: string
  readonly decidedMs: number
  readonly weighed: WeighedPayment | null
}

const givenUp = ({ ranked, head, chosen }: CostChoice): number => {
  const authOf = (gateway: string | null): number => ranked.find((row) => row.gateway === gateway)?.authRatio ?? 0
  return chosen === null ? 0 : authOf(head) - authOf(chosen)
}

const weighedOf = (data: GatewayDecided['data'], choice: CostChoice, earlier: WeighedPayment | null): WeighedPayment => ({
  merchantId: data.merchantId,
  decidedMs: data.at,
  cluster: {
    paymentMethodType: data.paymentMethodType,
    paymentMethod: data.paymentMethod,
    cardNetwork: data.cardNetwork,
    cardIsIn: data.cardIsIn,
    currency: data.currency,
    country: data.country,
    authType: data.authType,
  },
  gateway: data.gateway,
  currency: data.currency,
  amount: data.amount,
  outcome: choice.outcome === 'COST_WON' ? 'COST_WON' : 'AUTH_WON',
  costSavedBps: choice.costSavedBps,
  margin: choice.marginRatio,
  authGivenUp: givenUp(choice),
  // Told again of this decision, an approval is a repeat that says nothing.
  isApproved: earlier?.isApproved === true && earlier.gateway === data.gateway ? true : null,
})

/** Of no use to a window any more, but what it says of the payment is as true as ever. */
const BEHIND_ITS_WINDOW: ReadonlySet<Disposition> = new Set(['late', 'reset', 'waiting'])

/** Whether an outcome approved its payment; null when it does not tell. What was reported itself is read from its event. */
const approvalOf = ({ event }: RecordedPayment, { success, disposition }: OutcomeEffect): boolean | null => {
  if (success !== null || event.type !== 'OutcomeRecorded' || !BEHIND_ITS_WINDOW.has(disposition)) return success
  const outcome = reportedClassOf(event.data)
  return outcome === 'pending' ? null : outcome === 'approved'
}

const withOutcomes = (view: StoredChoice, record: RecordedPayment, paymentId: string): StoredChoice => {
  const { weighed } = view
  if (weighed === null || weighed.isApproved === true) return view
  const last = outcomesOf(record)
    .filter((effect) => keyPart(effect.paymentId) === paymentId && effect.gateway === weighed.gateway)
    .map((effect) => approvalOf(record, effect))
    .findLast((isApproved) => isApproved !== null)
  return last === undefined ? view : { ...view, weighed: { ...weighed, isApproved: last } }
}

const NAME = 'cost-choices-v1'

/** Payments whose approval and cost were weighed, key `[merchantId, paymentId]`: what was saved, and whether it was realised (cost.md 16). */
export const costChoices: DocumentProjection<StoredChoice, RecordedPayment> = {
  name: NAME,
  endedBy,

  keysOf: (record) => {
    const { event } = record
    if (event.type === 'GatewayDecided') {
      const { merchantId, paymentId, costChoice } = event.data
      return costChoice === null ? [] : [[keyPart(merchantId), keyPart(paymentId)]]
    }
    return outcomesOf(record)
      .filter((effect) => approvalOf(record, effect) !== null)
      .map(({ merchantId, paymentId }) => [keyPart(merchantId), keyPart(paymentId)])
  },

  initialView: (key) => ({ merchantId: merchantOf(key), decidedMs: 0, weighed: null }),

  project: (view, record, key) => {
    const { event } = record
    if (event.type !== 'GatewayDecided') return withOutcomes(view, record, String(key[1]))
    const { at: decidedMs, costChoice } = event.data
    if (costChoice === null) return view
    // An outcome that waited for its decision comes with it.
    return withOutcomes({ ...view, decidedMs, weighed: weighedOf(event.data, costChoice, view.weighed) }, record, String(key[1]))
  },
}

/** Declared order: by the time of the decision. */
export const CHOICES_BY_TIME = 'by-time'

/** The collection, and the order that reads go by. */
export const costChoicesCollection: CollectionSpec = {
  name: NAME,
  indexes: [{ name: CHOICES_BY_TIME, fields: ['merchantId', 'decidedMs'] }],
}
