import type { FoundCard } from './co-badged-card.ts'
import { type DebitNetwork, isGlobalNetwork } from './debit-networks.ts'

/** What many rows have in common: kept once. */
export interface BinRowFacts {
  readonly network: DebitNetwork
  /** ISO 3166 alpha-2 code; null when the table does not say it. */
  readonly issuerCountry: string | null
  readonly cardType: string
  readonly isRegulated: boolean | null
  readonly regulatedName: string | null
  readonly isPrepaid: boolean
  /** Whether the range is of card numbers; else of tokens. */
  readonly isPan: boolean
}

/** A range of BINs on one network: the first and the last of eight digits, inclusive. */
export interface BinRow {
  readonly first: number
  readonly last: number
  readonly facts: BinRowFacts
}

const isUsable = ({ cardType, isPan, isPrepaid }: BinRowFacts): boolean => cardType === 'debit' && isPan && !isPrepaid

const agrees = (a: BinRowFacts, b: BinRowFacts): boolean =>
  a.issuerCountry === b.issuerCountry && a.isRegulated === b.isRegulated && a.regulatedName === b.regulatedName

/**
 * The card that rows of one BIN tell, in their order (network.md 4.2): rows that are no debit cards, of tokens or prepaid
 * say nothing. The issuer's facts stand in the rows of global networks; a card without one has them in the others.
 */
export const cardOfRows = (rows: readonly BinRowFacts[]): FoundCard => {
  const usable = rows.filter(isUsable)
  const globals = usable.filter(({ network }) => isGlobalNetwork(network))
  const [source, ...others] = globals.length > 0 ? globals : usable
  if (source === undefined) return { problem: 'the BIN table knows no debit card that is not prepaid under cardIsin' }
  if (others.some((other) => !agrees(other, source))) return { problem: 'rows of the BIN table contradict each other under cardIsin' }
  const { issuerCountry, isRegulated, regulatedName } = source
  if (issuerCountry === null || isRegulated === null) return { problem: 'the BIN table does not tell country and regulation of the issuer' }
  const networks = usable.map(({ network }) => network)
  return { card: { networks, issuerCountry, isRegulated, regulatedName, cardType: 'debit', source: 'BIN_TABLE' } }
}
