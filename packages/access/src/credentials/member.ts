import type { MembershipRole } from '@switchyard/events'

/** A person as a merchant sees one. */
export interface Member {
  readonly userId: string
  readonly email: string
  readonly role: MembershipRole
}
