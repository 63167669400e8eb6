import type { MerchantClosed, MerchantRegistered } from '@switchyard/events'

/** What opens and closes the configuration of a merchant. */
export type MerchantLife = MerchantRegistered | MerchantClosed
