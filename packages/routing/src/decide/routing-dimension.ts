import { RecentKinds } from '../scoring/recent-kinds.ts'
import type { RoutingDimension } from './decision.ts'
import type { PaymentDetails } from './request.ts'

const CARD = 'CARD'
const ABSENT = 'UNKNOWN'

/** What of a payment its routing dimension is made of. */
type DimensionKind = Pick<PaymentDetails, 'paymentType' | 'paymentMethodType' | 'paymentMethod' | 'cardType'>

const newDimension = ({ paymentType, paymentMethodType, paymentMethod, cardType }: DimensionKind): RoutingDimension => {
  const text = `${paymentType}, ${paymentMethodType.toUpperCase()}, ${paymentMethod}`
  return paymentMethodType === CARD ? { text: `${text}, ${cardType ?? ABSENT}`, level: 'CARD_LEVEL' } : { text, level: 'PM_LEVEL' }
}

const isAlike = (a: DimensionKind, b: DimensionKind): boolean =>
  a.paymentMethod === b.paymentMethod &&
  a.cardType === b.cardType &&
  a.paymentMethodType === b.paymentMethodType &&
  a.paymentType === b.paymentType

/** Equal ones are one object: a text that is put together anew is also hashed anew wherever it is looked up. */
const recent = new RecentKinds<DimensionKind, { readonly kind: DimensionKind; readonly dimension: RoutingDimension }>(
  isAlike,
  ({ paymentType, paymentMethodType, paymentMethod, cardType }) => {
    const kind = { paymentType, paymentMethodType, paymentMethod, cardType }
    return { kind, dimension: newDimension(kind) }
  },
)

/** The routing dimension of an answer (decide.md 3.5). */
export const routingDimensionOf = (payment: DimensionKind): RoutingDimension => recent.of(payment).dimension
