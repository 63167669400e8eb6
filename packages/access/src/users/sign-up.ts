import type { EmailVerificationRequested, MembershipGranted, UserSignedUp } from '@switchyard/events'
import { accept, type Decision, reject } from '@switchyard/kernel'
import type { UserState } from './user-state.ts'

/** Id and end (epoch milliseconds) of a link that is to be mailed. */
export interface NewLink {
  readonly linkId: string
  readonly expiresAt: number
}

/** Opens an account. */
export interface SignUp {
  readonly type: 'SignUp'
  readonly userId: string
  /** Normalised address. */
  readonly email: string
  /** PHC string. */
  readonly passwordHash: string
  /** The merchant whose admin the new user becomes; whether the caller may say so is settled before. */
  readonly merchantId: string | null
  /** Which registration of that merchant id is meant, from 1. */
  readonly merchantRegistrationCount: number
  /** The link that proves the address before the first log-in; null: it needs no proof. */
  readonly verification: NewLink | null
  readonly at: number
}

type SignUpEvent = UserSignedUp | MembershipGranted | EmailVerificationRequested

/** One address signs up once. */
export const decideSignUp = (
  command: SignUp,
  { account }: UserState,
): Decision<SignUpEvent, { readonly code: 'EMAIL_TAKEN'; readonly email: string }> => {
  const { userId, email, passwordHash, merchantId, merchantRegistrationCount, verification, at } = command
  if (account !== null) return reject({ code: 'EMAIL_TAKEN', email })
  const events: SignUpEvent[] = [{ type: 'UserSignedUp', data: { userId, email, passwordHash, emailVerified: verification === null, at } }]
  if (merchantId !== null) {
    const membership = {
      userId,
      merchantId,
      role: 'ADMIN',
      merchantRegistrationCount,
      origin: 'SIGNED_UP',
      invitationId: null,
      at,
    } as const
    events.push({ type: 'MembershipGranted', data: membership })
  }
  if (verification !== null) {
    const { linkId: verificationId, expiresAt } = verification
    events.push({ type: 'EmailVerificationRequested', data: { userId, verificationId, expiresAt, at } })
  }
  return accept(...events)
}
