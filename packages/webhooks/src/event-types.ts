/** Classes of outgoing events (interface, Events). */
export type EventClass = 'payments' | 'refunds' | 'disputes' | 'mandates' | 'payouts' | 'subscriptions'

/** Types of outgoing events (interface, Events). */
export type EventType =
  | 'payment_succeeded'
  | 'payment_failed'
  | 'payment_processing'
  | 'payment_cancelled'
  | 'payment_cancelled_post_capture'
  | 'payment_authorized'
  | 'payment_partially_authorized'
  | 'payment_captured'
  | 'payment_expired'
  | 'action_required'
  | 'surcharge_payment_succeeded'
  | 'refund_succeeded'
  | 'refund_failed'
  | 'surcharge_refund_succeeded'
  | 'dispute_opened'
  | 'dispute_expired'
  | 'dispute_accepted'
  | 'dispute_cancelled'
  | 'dispute_challenged'
  | 'dispute_won'
  | 'dispute_lost'
  | 'mandate_active'
  | 'mandate_revoked'
  | 'payout_success'
  | 'payout_failed'
  | 'payout_initiated'
  | 'payout_processing'
  | 'payout_cancelled'
  | 'payout_expired'
  | 'payout_reversed'
  | 'payout_not_permitted'
  | 'invoice_paid'

/** The class of every type there is (webhooks.md 4): the one total map that everything else is derived from. */
const CLASS_OF: Readonly<Record<EventType, EventClass>> = {
  payment_succeeded: 'payments',
  payment_failed: 'payments',
  payment_processing: 'payments',
  payment_cancelled: 'payments',
  payment_cancelled_post_capture: 'payments',
  payment_authorized: 'payments',
  payment_partially_authorized: 'payments',
  payment_captured: 'payments',
  payment_expired: 'payments',
  action_required: 'payments',
  surcharge_payment_succeeded: 'payments',
  refund_succeeded: 'refunds',
  refund_failed: 'refunds',
  surcharge_refund_succeeded: 'refunds',
  dispute_opened: 'disputes',
  dispute_expired: 'disputes',
  dispute_accepted: 'disputes',
  dispute_cancelled: 'disputes',
  dispute_challenged: 'disputes',
  dispute_won: 'disputes',
  dispute_lost: 'disputes',
  mandate_active: 'mandates',
  mandate_revoked: 'mandates',
  payout_success: 'payouts',
  payout_failed: 'payouts',
  payout_initiated: 'payouts',
  payout_processing: 'payouts',
  payout_cancelled: 'payouts',
  payout_expired: 'payouts',
  payout_reversed: 'payouts',
  payout_not_permitted: 'payouts',
  invoice_paid: 'subscriptions',
}

/** Whether a text names a type of event. */
export const isEventType = (text: string): text is EventType => Object.hasOwn(CLASS_OF, text)

/** All types, class by class. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(CLASS_OF).filter(isEventType)

/** The class of a type. */
export const classOf = (type: EventType): EventClass => CLASS_OF[type]

/** All classes. */
export const EVENT_CLASSES: readonly EventClass[] = [...new Set(EVENT_TYPES.map(classOf))]

/** The types of a class. */
export const typesOf = (eventClass: EventClass): readonly EventType[] => EVENT_TYPES.filter((type) => classOf(type) === eventClass)

const CONTENT_TAGS: Readonly<Record<EventClass, string>> = {
  payments: 'payment_details',
  refunds: 'refund_details',
  disputes: 'dispute_details',
  mandates: 'mandate_details',
  payouts: 'payout_details',
  subscriptions: 'subscription_details',
}

/** How the body of an event names the kind of its content (webhooks.md 4). */
export const contentTagOf = (type: EventType): string => CONTENT_TAGS[classOf(type)]
