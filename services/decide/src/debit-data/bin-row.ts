import { BIN_DIGITS, type BinRowFacts, countryNameOf, debitNetworkOf } from '@switchyard/routing'
import { TEXT_LENGTH_MAX } from '../limits.ts'

const RANGE_END = /^\d{6,19}$/
const COUNTRY = /^[A-Z]{2}$/
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

/** The first BIN of eight digits that a range can be found under: one that, filled up with zeros, does not lie before it. */
export const firstBin = (from: string): number | undefined => {
  if (!RANGE_END.test(from)) return undefined
  const bin = Number(from.slice(0, BIN_DIGITS).padEnd(BIN_DIGITS, '0'))
  return /[1-9]/.test(from.slice(BIN_DIGITS)) ? bin + 1 : bin
}

/** The last one; an end of fewer digits stands for all that begins with them. */
export const lastBin = (to: string): number | undefined =>
  RANGE_END.test(to) ? Number(to.slice(0, BIN_DIGITS).padEnd(BIN_DIGITS, '9')) : undefined

/** Says what is wrong with a row. */
type Fail = (detail: string) => never

const flagOf = (name: string, text: string, fail: Fail): boolean => FLAGS.get(text) ?? fail(`${name}: must be true or false`)

const parseFacts = (cells: readonly string[], fail: Fail): BinRowFacts | undefined => {
  const [networkName = '', country = '', cardType = '', regulated = '', regulatedName = '', prepaid = '', panOrToken = ''] = cells
  if (networkName === '') return fail('card_network: must not be empty')
  if (country !== '' && !(COUNTRY.test(country) && countryNameOf(country) !== undefined)) {
    return fail('issuer_country: must be an ISO 3166 alpha-2 code or empty')
  }
  if (cardType === '') return fail('card_type: must not be empty')
  if (panOrToken !== 'pan' && panOrToken !== 'token') return fail('pan_or_token: must be pan or token')
  if (regulatedName.length > TEXT_LENGTH_MAX) return fail(`regulated_name: must be at most ${TEXT_LENGTH_MAX} characters long`)
  const facts = {
    issuerCountry: country === '' ? null : country,
    cardType: cardType.toLowerCase(),
    isRegulated: regulated === '' ? null : flagOf('is_regulated', regulated, fail),
    regulatedName: regulatedName === '' ? null : regulatedName,
    isPrepaid: flagOf('is_prepaid', prepaid, fail),
    isPan: panOrToken === 'pan',
  }
  const network = debitNetworkOf(networkName)
  return network && { network, ...facts }
}

/**
 * Reads what rows say beside their ranges; rows that say the same share one object. Undefined for a network that is none of
 * the nine.
 */
export const createBinFacts = (): ((cells: readonly string[], fail: Fail) => BinRowFacts | undefined) => {
  const known = new Map<string, BinRowFacts | undefined>()
  return (cells, fail) => {
    const key = JSON.stringify(cells)
    if (known.has(key)) return known.get(key)
    const facts = parseFacts(cells, fail)
    known.set(key, facts)
    return facts
  }
}
