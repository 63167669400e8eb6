import type {
  EmailVerificationRequested,
  EmailVerified,
  MailAttempted,
  MailSettled,
  MembershipGranted,
  PasswordChanged,
  PasswordResetRequested,
  UserDeactivated,
} from '@switchyard/events'
import { accept, assertNever, type Decision, reject, type Slice } from '@switchyard/kernel'
import { MAIL_ATTEMPT_COUNT_MAX, MAIL_RETRY_FIRST_MS, MAIL_RETRY_MAX_MS, PENDING_MAIL_COUNT_MAX } from '../limits.ts'

/** Takes a mail in hand, or says that it was handed over; `at` is epoch milliseconds. */
export type MailsCommand = {
  readonly type: 'AttemptMail' | 'ConfirmMail'
  readonly userId: string
  readonly mailId: string
  readonly at: number
}

/** What has to be mailed to a person, and what became of it. */
export type MailsEvent =
  | MembershipGranted
  | PasswordChanged
  | PasswordResetRequested
  | EmailVerificationRequested
  | EmailVerified
  | UserDeactivated
  | MailAttempted
  | MailSettled

/** Why a mail is not attempted: it is settled, or somebody else has it in hand. */
export type MailsRejection = { readonly code: 'MAIL_SETTLED' | 'MAIL_NOT_DUE'; readonly mailId: string }

/** A mail that has to go out; the event that asks for it holds no secret, its link is made when it is sent. */
export interface PendingMail {
  readonly mailId: string
  readonly kind: 'password-reset' | 'email-verification' | 'invitation'
  /** Of an invitation. */
  readonly merchantId: string | null
  /** Last moment at which its link is valid, epoch milliseconds; null: it has none. */
  readonly linkExpiresAt: number | null
  readonly attemptCount: number
  /** When it may be attempted (again), epoch milliseconds. */
  readonly dueAt: number
}

/** Mails to one person that are not settled, oldest first. */
export interface MailsState {
  readonly pending: readonly PendingMail[]
}

const retryAfterMs = (attemptCount: number): number => Math.min(MAIL_RETRY_FIRST_MS * 4 ** attemptCount, MAIL_RETRY_MAX_MS)

const attempt = ({ userId, mailId, at }: MailsCommand, mail: PendingMail): Decision<MailsEvent, MailsRejection> => {
  if (at < mail.dueAt) return reject({ code: 'MAIL_NOT_DUE', mailId })
  const isVain = mail.attemptCount >= MAIL_ATTEMPT_COUNT_MAX || (mail.linkExpiresAt !== null && at > mail.linkExpiresAt)
  if (isVain) return accept({ type: 'MailSettled', data: { userId, mailId, outcome: 'ABANDONED', at } })
  const attemptCount = mail.attemptCount + 1
  return accept({ type: 'MailAttempted', data: { userId, mailId, attemptCount, retryAt: at + retryAfterMs(mail.attemptCount), at } })
}

const withMail = ({ pending }: MailsState, mail: Omit<PendingMail, 'attemptCount'>): MailsState => {
  const others = pending.filter(({ mailId }) => mailId !== mail.mailId)
  return { pending: [...others, { ...mail, attemptCount: 0 }].slice(-PENDING_MAIL_COUNT_MAX) }
}

const without = ({ pending }: MailsState, isOver: (mail: PendingMail) => boolean): MailsState => ({
  pending: pending.filter((mail) => !isOver(mail)),
})

const changed = ({ pending }: MailsState, mailId: string, change: Partial<PendingMail>): MailsState => ({
  pending: pending.map((mail) => (mail.mailId === mailId ? { ...mail, ...change } : mail)),
})

const withReset = (state: MailsState, { data: { resetId, cause, expiresAt, at } }: PasswordResetRequested): MailsState =>
  cause === 'INVITED'
    ? changed(state, resetId, { linkExpiresAt: expiresAt })
    : withMail(state, { mailId: resetId, kind: 'password-reset', merchantId: null, linkExpiresAt: expiresAt, dueAt: at })

/** Links that set a password are void with a new one, an invitation is told without its link; one that came by mail has proved the address. */
const withPassword = ({ pending }: MailsState, { data: { resetId } }: PasswordChanged): MailsState => ({
  pending: pending
    .filter(({ kind }) => kind === 'invitation' || (kind === 'email-verification' && resetId === null))
    .map((mail) => (mail.kind === 'invitation' ? { ...mail, linkExpiresAt: null } : mail)),
})

/**
 * Mails as a reaction to events: what is asked for is pending until it is settled, in the log, so that a crash loses none. Who
 * records an attempt has the mail until the next one is due; a mail goes out twice only when its sender ended in between. Key: user id.
 */
export const mails: Slice<MailsCommand, MailsState, MailsEvent, MailsRejection> = {
  name: 'mails',
  version: 2,
  folds: [
    'MembershipGranted',
    'PasswordChanged',
    'PasswordResetRequested',
    'EmailVerificationRequested',
    'EmailVerified',
    'UserDeactivated',
    'MailAttempted',
    'MailSettled',
  ],
  conflicts: 'by-version',
  initialState: { pending: [] },

  decide: (command, { pending }) => {
    const { type, userId, mailId, at } = command
    const mail = pending.find((candidate) => candidate.mailId === mailId)
    if (mail === undefined) return reject({ code: 'MAIL_SETTLED', mailId })
    switch (type) {
      case 'AttemptMail':
        return attempt(command, mail)
      case 'ConfirmMail':
        return accept({ type: 'MailSettled', data: { userId, mailId, outcome: 'SENT', at } })
      default:
        return assertNever(type)
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'MembershipGranted': {
        const { invitationId: mailId, merchantId, at } = event.data
        return mailId === null ? state : withMail(state, { mailId, kind: 'invitation', merchantId, linkExpiresAt: null, dueAt: at })
      }
      case 'PasswordResetRequested':
        return withReset(state, event)
      case 'EmailVerificationRequested': {
        const { verificationId: mailId, expiresAt, at } = event.data
        return withMail(state, { mailId, kind: 'email-verification', merchantId: null, linkExpiresAt: expiresAt, dueAt: at })
      }
      case 'PasswordChanged':
        return withPassword(state, event)
      case 'EmailVerified':
        return without(state, ({ kind }) => kind === 'email-verification')
      case 'UserDeactivated':
        return without(state, () => true)
      case 'MailAttempted':
        return changed(state, event.data.mailId, { attemptCount: event.data.attemptCount, dueAt: event.data.retryAt })
      case 'MailSettled':
        return without(state, ({ mailId }) => mailId === event.data.mailId)
      default:
        return assertNever(event)
    }
  },
}
