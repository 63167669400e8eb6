import { createBinTable } from './bin-table.ts'
import type { CoBadgedCard } from './co-badged-card.ts'
import type { NetworkFeeTable } from './network-fees.ts'
import { createRouteByNetwork, type RouteByNetwork } from './route-by-network.ts'

const fee = (percent: number, fixed: number) => ({ percent, fixed })

/** The shipped numbers (network.md 5). */
export const sampleFees = (changes: Partial<NetworkFeeTable> = {}): NetworkFeeTable => ({
  version: 'v1',
  fraudCheckFee: 1,
  networkFees: new Map([
    ['VISA', fee(0.1375, 2)],
    ['MASTERCARD', fee(0.15, 4)],
    ['ACCEL', fee(0, 4)],
    ['NYCE', fee(0.1, 1.5)],
    ['PULSE', fee(0.1, 3)],
    ['STAR', fee(0.1, 1.5)],
  ]),
  interchangeRegulated: fee(0.05, 0.21),
  interchangeByCategory: new Map([
    [
      'merchant_category_code_0001',
      new Map([
        ['VISA', fee(1.65, 15)],
        ['MASTERCARD', fee(1.65, 15)],
        ['ACCEL', fee(1.55, 4)],
        ['NYCE', fee(1.3, 21.3125)],
        ['PULSE', fee(1.6, 15)],
        ['STAR', fee(1.63, 15)],
      ]),
    ],
  ]),
  defaultCategory: 'merchant_category_code_0001',
  crossBorderSavings: true,
  connectorNetworks: new Map(),
  ...changes,
})

/** A card of an issuer that is not regulated. */
export const sampleCard = (networks: readonly string[], changes: Partial<CoBadgedCard> = {}): CoBadgedCard => ({
  networks,
  issuerCountry: 'US',
  isRegulated: false,
  regulatedName: null,
  cardType: 'debit',
  source: 'METADATA',
  ...changes,
})

/** Routing by the shipped numbers, without BINs and defaults of merchants. */
export const sampleRouting = (fees: Partial<NetworkFeeTable> = {}): RouteByNetwork => {
  const binTable = createBinTable([])
  if ('detail' in binTable) throw new Error(binTable.detail)
  return createRouteByNetwork({ fees: sampleFees(fees), binTable, defaultsOf: () => null })
}
