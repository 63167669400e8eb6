import { keptCardIsin } from '@switchyard/routing'
import type { PaymentWire } from './decision-wire.ts'

/** A payment's source may also be an address of UPI, or any other text. */
const extendedBinOf = (paymentSource: string): string | undefined => {
  if (!paymentSource.includes('"extended_card_bin"')) return undefined
  try {
    const { extended_card_bin: bin } = Object(JSON.parse(paymentSource))
    return typeof bin === 'string' && bin !== '' ? bin : undefined
  } catch {
    return undefined
  }
}

/**
 * The first digits of the card, as they are kept: `extended_card_bin` of a `paymentSource` that is a JSON text, else
 * `cardIsin` (decide.md 2.2); null without either.
 */
export const cardIsinOf = ({ cardIsin, paymentSource }: Pick<PaymentWire, 'cardIsin' | 'paymentSource'>): string | null => {
  const extended = paymentSource === undefined || paymentSource === null ? undefined : extendedBinOf(paymentSource)
  return keptCardIsin(extended ?? cardIsin)
}
