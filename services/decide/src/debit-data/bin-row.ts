import { BIN_DIGITS, type BinRowFacts, debitNetworkOf, isCountryCode } from '@switchyard/routing'
import * as z from 'zod'
import { TEXT_LENGTH_MAX } from '../limits.ts'

const RANGE_END = /^\d{6,19}$/

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

const orNull = (text: string): string | null => (text === '' ? null : text)
const isCountry = (code: string): boolean => code === '' || isCountryCode(code)
const filled = z.string().min(1, 'must not be empty')

/** What a row says beside its range; undefined for a network that is none of the nine. */
const factsSchema = z
  .object({
    card_network: filled,
    issuer_country: z.string().refine(isCountry, 'must be an ISO 3166 alpha-2 code or empty').transform(orNull),
    card_type: filled.transform((type) => type.toLowerCase()),
    is_regulated: z.enum(['true', 'false', ''], 'must be true, false or empty'),
    regulated_name: z.string().max(TEXT_LENGTH_MAX, `must be at most ${TEXT_LENGTH_MAX} characters long`).transform(orNull),
    is_prepaid: z.enum(['true', 'false'], 'must be true or false'),
    pan_or_token: z.enum(['pan', 'token'], 'must be pan or token'),
  })
  .transform((row): BinRowFacts | undefined => {
    const network = debitNetworkOf(row.card_network)
    return (
      network && {
        network,
        issuerCountry: row.issuer_country,
        cardType: row.card_type,
        isRegulated: row.is_regulated === '' ? null : row.is_regulated === 'true',
        regulatedName: row.regulated_name,
        isPrepaid: row.is_prepaid === 'true',
        isPan: row.pan_or_token === 'pan',
      }
    )
  })

/** Columns that say something beside the range. */
export const FACT_COLUMNS: readonly string[] = Object.keys(factsSchema.in.shape)

/**
 * Reads what rows say beside their ranges, from cells in the order of {@link FACT_COLUMNS}; rows that say the same share one
 * object. Undefined for a network that is none of the nine.
 */
export const createBinFacts = (): ((cells: readonly string[], fail: Fail) => BinRowFacts | undefined) => {
  const known = new Map<string, BinRowFacts | undefined>()
  return (cells, fail) => {
    const key = JSON.stringify(cells)
    if (known.has(key)) return known.get(key)
    const { success, data, error } = factsSchema.safeParse(Object.fromEntries(FACT_COLUMNS.map((name, index) => [name, cells[index]])))
    if (!success) return fail([...(error.issues[0]?.path ?? []), error.issues[0]?.message].map(String).join(': '))
    known.set(key, data)
    return data
  }
}
