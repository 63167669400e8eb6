import type { OutcomeRecorded, PaymentsEventPart, UploadLine } from '@switchyard/events'
import { assertNever, createKeySpace, type KeySpace } from '@switchyard/kernel'
import { type DownGateway, type DownQuery, type HealthPayment, NOTHING_DOWN } from '../elimination/merchant-health.ts'
import { type AskedWindows, SharedQuestions } from './asked-windows.ts'
import { contentOf, identityOf } from './event-identity.ts'
import { PAYMENT_FOLD_LIMITS, type PaymentFoldLimits } from './limits.ts'
import { type FoldCommons, MerchantPayments, NO_EFFECTS } from './merchant-payments.ts'
import { readSnapshot, writeSnapshot } from './merchant-snapshot.ts'
import { emptyMerchantState } from './merchant-state.ts'
import { SCORE_WITHOUT_OUTCOMES } from './merchant-windows.ts'
import type { PaymentEffect } from './outcome-effect.ts'
import { SharedTraits } from './payment-traits.ts'
import type { KnownLine } from './uploaded-lines.ts'

/** Which windows to read. */
export interface ScoresQuery extends AskedWindows {
  readonly merchantId: string
  /** Length of the windows in outcomes. */
  readonly bucketSize: number
}

/** A report as a line of an upload: which line, and what it says. */
export interface UploadedOutcome
  extends Pick<OutcomeRecorded['data'], 'merchantId' | 'paymentId' | 'gateway' | 'status' | 'enforceFailure'> {
  readonly upload: UploadLine
}

/**
 * The hot fold of the topic `payments`: joins outcomes to decisions and keeps the success-rate windows. Its state follows
 * from the events alone, in whatever batches they come; one owner, one writer. Each merchant is bounded by
 * {@link PaymentFoldLimits}.
 */
export interface PaymentFold {
  /**
   * Folds one event; answers what outcomes did. A decision answers for the outcomes that waited for it, every event for
   * pending reports that are due by its time. Undefined for a copy of an event that was folded a short while ago, for what an
   * earlier registration of the merchant id left behind, and for a copy of a line of an upload: whoever else reads the event leaves it alone, too.
   */
  readonly apply: (event: PaymentsEventPart) => readonly PaymentEffect[] | undefined
  /** Scores of gateways in one dimension, in the order asked for; 1 for a gateway without outcomes. */
  readonly scoresOf: (query: ScoresQuery) => readonly number[]
  /** Candidates that are down, in the order asked for. */
  readonly downAmong: (merchantId: string, query: DownQuery) => readonly DownGateway[]
  /** A payment sets out to try a gateway that is down: until its event is folded no other one does. Changes no state. */
  readonly reserveProbe: (
    merchantId: string,
    probe: { readonly payment: HealthPayment; readonly gateway: string; readonly at: number },
  ) => void
  /** Whether an outcome of this payment would find its decision. */
  readonly hasDecision: (merchantId: string, paymentId: string) => boolean
  /** How many success-rate windows the merchant has. */
  readonly windowCountOf: (merchantId: string) => number
  /** Whether this line of a repeatable upload stands in the log, and says the same. */
  readonly uploadedLine: (outcome: UploadedOutcome) => KnownLine
  /** Merchants that the fold knows anything of. */
  readonly merchantIds: () => Iterable<string>
  /** The merchant's complete state; equal states give equal bytes. */
  readonly exportMerchant: (merchantId: string) => Uint8Array
  /** Replaces the merchant's state by an exported one; throws `RECORD_UNREADABLE` when another version or one with other limits wrote it. */
  readonly importMerchant: (merchantId: string, bytes: Uint8Array) => void
}

/** Whether the event is a line of an upload that was recorded before; notes a line that was not. */
const isCopiedLine = ({ state: { uploads } }: MerchantPayments, event: PaymentsEventPart): boolean => {
  if (event.type !== 'OutcomeRecorded' || event.data.upload === null) return false
  const { data } = event
  const content = contentOf(data)
  if (uploads.look(event.data.upload, content) === 'same') return true
  uploads.add(event.data.upload, content, data.at)
  return false
}

const effectsOf = (merchant: MerchantPayments, event: PaymentsEventPart): readonly PaymentEffect[] => {
  switch (event.type) {
    case 'GatewayDecided':
      return merchant.decide(event.data)
    case 'OutcomeRecorded':
      return merchant.report(event.data)
    case 'GatewayScoresReset':
      merchant.reset()
      return NO_EFFECTS
    case 'DecisionRefused':
    case 'OutcomeRefused':
    case 'RuleEvaluated':
    case 'RuleEvaluationRefused':
    case 'ApiKeysUsed':
      return NO_EFFECTS
    default:
      return assertNever(event)
  }
}

/** The registration of the merchant id that an event is for; 0 where the event does not tell. */
const registrationOf = ({ type, data }: PaymentsEventPart): number => {
  switch (type) {
    case 'GatewayDecided':
    case 'OutcomeRecorded':
    case 'GatewayScoresReset':
      return data.merchantRegistrationCount
    default:
      return 0
  }
}

/** Whether earlier registrations of the merchant id end with this event. */
const isEnding = (event: PaymentsEventPart): boolean =>
  event.type === 'GatewayScoresReset' && (event.data.cause === 'CLOSED' || event.data.cause === 'REGISTERED_AGAIN')

/** An empty fold; `keys` may be shared with whoever keeps something of the same merchants. */
export const createPaymentFold = (limits: PaymentFoldLimits = PAYMENT_FOLD_LIMITS, keys: KeySpace = createKeySpace()): PaymentFold => {
  const merchants = keys.table<MerchantPayments>()
  const { sharedTraitsCountMax } = limits
  const traits = new SharedTraits(sharedTraitsCountMax)
  const commons: FoldCommons = { limits, traits, questions: new SharedQuestions(sharedTraitsCountMax) }

  const merchantOf = (merchantId: string): MerchantPayments => {
    const known = merchants.get(merchantId)
    if (known !== undefined) return known
    const added = new MerchantPayments(merchantId, commons, emptyMerchantState(limits))
    merchants.set(merchantId, added)
    return added
  }

  /** Whom an event is for: a later registration of the id begins with nothing; undefined for what an earlier one left behind. */
  const merchantFor = (event: PaymentsEventPart): MerchantPayments | undefined => {
    const { merchantId } = event.data
    const known = merchantOf(merchantId)
    const registration = registrationOf(event)
    if (registration === 0) return known
    // It is told when a merchant is closed and when its id comes back, and by everybody who tries: the first one counts.
    if (registration === known.state.registration) return isEnding(event) ? undefined : known
    if (registration < known.state.registration) return undefined
    if (known.state.registration === 0 && registration === 1) {
      known.state.registration = 1
      return known
    }
    const added = new MerchantPayments(merchantId, commons, { ...emptyMerchantState(limits), registration })
    merchants.set(merchantId, added)
    return added
  }

  return {
    apply: (event) => {
      const merchant = merchantFor(event)
      if (merchant === undefined || !merchant.state.recent.add(identityOf(event)) || isCopiedLine(merchant, event)) return undefined
      const aged = merchant.age(event.data.at)
      const effects = effectsOf(merchant, event)
      return aged.length === 0 ? effects : [...aged, ...effects]
    },
    scoresOf: (query) => {
      const { merchantId, gateways, bucketSize } = query
      return merchants.get(merchantId)?.scoresOf(query, bucketSize) ?? gateways.map(() => SCORE_WITHOUT_OUTCOMES)
    },
    downAmong: (merchantId, query) => merchants.get(merchantId)?.health.downAmong(query) ?? NOTHING_DOWN,
    reserveProbe: (merchantId, { payment, gateway, at }) => merchants.get(merchantId)?.health.reserveProbe(payment, gateway, at),
    hasDecision: (merchantId, paymentId) => merchants.get(merchantId)?.knows(paymentId) ?? false,
    windowCountOf: (merchantId) => merchants.get(merchantId)?.state.windows.size ?? 0,
    uploadedLine: ({ merchantId, upload, ...content }) =>
      merchants.get(merchantId)?.state.uploads.look(upload, contentOf(content)) ?? 'unknown',
    merchantIds: merchants.keys,
    exportMerchant: (merchantId) => writeSnapshot(merchants.get(merchantId)?.state ?? emptyMerchantState(limits), limits),
    importMerchant: (merchantId, bytes) => {
      merchants.set(merchantId, new MerchantPayments(merchantId, commons, readSnapshot(bytes, commons)))
    },
  }
}
