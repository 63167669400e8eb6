import type { Membership } from '../users/user-state.ts'
import type { Member } from './member.ts'

/** A merchant that a search found, with everybody who belongs to it. */
export interface FoundMerchant {
  readonly merchantId: string
  readonly name: string
  readonly members: readonly Member[]
}

/** Where to look. */
export interface SearchedPeople {
  readonly merchantIds: ReadonlySet<string>
  readonly emails: ReadonlyMap<string, string>
  readonly nameOf: (merchantId: string) => string
  readonly membershipsOf: (userId: string) => readonly Membership[]
  readonly membersOf: (merchantId: string) => readonly Member[]
}

/** Shorter texts find nothing. */
const QUERY_LENGTH_MIN = 2
/** Merchants that one search tells of. */
const FOUND_COUNT_MAX = 25

/** One spelling of a text, as that of addresses: lower case, accents composed (NFC). */
const spelling = (text: string): string => text.toLowerCase().normalize('NFC')

/** In the order in which they are told: the id itself, names, then the merchants of people. */
function* matches(query: string, people: SearchedPeople): Generator<string> {
  const wanted = spelling(query)
  if (people.merchantIds.has(query)) yield query
  for (const merchantId of people.merchantIds) {
    const name = people.nameOf(merchantId)
    if (name !== merchantId && spelling(name).includes(wanted)) yield merchantId
  }
  for (const [userId, email] of people.emails) {
    if (email.includes(wanted)) yield* people.membershipsOf(userId).map(({ merchantId }) => merchantId)
  }
}

/**
 * Merchants whose name has the text in it, in any case and with accents written in either way, or whose id is the text; then those of
 * people whose address has it in it (platform.md 4.2). Each once, at most 25.
 */
export const findMerchants = (text: string, people: SearchedPeople): readonly FoundMerchant[] => {
  const query = text.trim()
  if (query.length < QUERY_LENGTH_MIN) return []
  const found = new Set<string>()
  for (const merchantId of matches(query, people)) {
    found.add(merchantId)
    if (found.size === FOUND_COUNT_MAX) break
  }
  return [...found].map((merchantId) => ({ merchantId, name: people.nameOf(merchantId), members: people.membersOf(merchantId) }))
}
