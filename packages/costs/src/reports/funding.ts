import type { Funding } from './canonical-row.ts'

/** Published rates up to these, in bps, are those of debit and of consumer credit cards. */
const DEBIT_RATE_MAX_BPS = 25
const CREDIT_RATE_MAX_BPS = 60

/** What the name of a variant tells, or else the published interchange rate of the card (cost.md 4). */
export const fundingOf = (variant: string, rateBps: number | undefined): Funding => {
  if (variant.includes('debit')) return 'debit'
  if (variant.includes('credit')) return 'credit'
  if (rateBps === undefined || rateBps <= 0) return ''
  if (rateBps <= DEBIT_RATE_MAX_BPS) return 'debit'
  return rateBps <= CREDIT_RATE_MAX_BPS ? 'credit' : 'commercial'
}

const NAMED: ReadonlyMap<string, Funding> = new Map([
  ['debit', 'debit'],
  ['credit', 'credit'],
  ['prepaid', 'prepaid'],
])

/** A funding that stands in a cell of its own; what is not one of these is unknown. */
export const namedFunding = (cell: string): Funding => NAMED.get(cell.toLowerCase()) ?? ''

const RECORDED: ReadonlyMap<string, Funding> = new Map([...NAMED, ['commercial', 'commercial']])

/** The funding that an event names; empty for one that this release does not know. */
export const recordedFunding = (text: string): Funding => RECORDED.get(text) ?? ''
