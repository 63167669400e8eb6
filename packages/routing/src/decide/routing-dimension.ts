import type { RoutingDimension } from './decision.ts'
import type { PaymentDetails } from './request.ts'

const CARD = 'CARD'
const ABSENT = 'UNKNOWN'

/** The routing dimension of an answer (decide.md 3.5). */
export const routingDimensionOf = ({ paymentType, paymentMethodType, paymentMethod, cardType }: PaymentDetails): RoutingDimension => {
  const text = `${paymentType}, ${paymentMethodType.toUpperCase()}, ${paymentMethod}`
  return paymentMethodType === CARD ? { text: `${text}, ${cardType ?? ABSENT}`, level: 'CARD_LEVEL' } : { text, level: 'PM_LEVEL' }
}
