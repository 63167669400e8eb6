import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { MAIL_ATTEMPT_COUNT_MAX, MAIL_RETRY_MAX_MS, PENDING_MAIL_COUNT_MAX } from '../limits.ts'
import { type MailsEvent, type MailsState, mails } from './mails.ts'

const given = specificationOf(mails)
const fold = (...events: readonly MailsEvent[]): MailsState => events.reduce(mails.evolve, mails.initialState)

const requested = (mailId = 'r1', at = 10): MailsEvent => ({
  type: 'PasswordResetRequested',
  data: { userId: 'u1', resetId: mailId, cause: 'REQUESTED', expiresAt: 1_000_000_000, at },
})
const verification: MailsEvent = {
  type: 'EmailVerificationRequested',
  data: { userId: 'u1', verificationId: 'v1', expiresAt: 900, at: 10 },
}
const invited: MailsEvent = {
  type: 'MembershipGranted',
  data: { userId: 'u1', merchantId: 'm1', role: 'MEMBER', merchantRegistrationCount: 1, origin: 'INVITED', invitationId: 'i1', at: 10 },
}
const firstPassword: MailsEvent = {
  type: 'PasswordResetRequested',
  data: { userId: 'u1', resetId: 'i1', cause: 'INVITED', expiresAt: 900, at: 10 },
}
const attempted = (attemptCount: number, at: number, retryAt: number): MailsEvent => ({
  type: 'MailAttempted',
  data: { userId: 'u1', mailId: 'r1', attemptCount, retryAt, at },
})
const settled = (outcome: 'SENT' | 'ABANDONED', at: number): MailsEvent => ({
  type: 'MailSettled',
  data: { userId: 'u1', mailId: 'r1', outcome, at },
})
const attemptAt = (at: number) => ({ type: 'AttemptMail', userId: 'u1', mailId: 'r1', at }) as const
const confirmAt = (at: number) => ({ type: 'ConfirmMail', userId: 'u1', mailId: 'r1', at }) as const

describe('mails', () => {
  test('an attempt has the mail for itself until the next one is due', () => {
    given(requested())
      .when(attemptAt(10))
      .emits(attempted(1, 10, 60_010))
    given(requested(), attempted(1, 10, 60_010))
      .when(attemptAt(60_009))
      .isRejectedWith({ code: 'MAIL_NOT_DUE', mailId: 'r1' })
    given(requested(), attempted(1, 10, 60_010))
      .when(attemptAt(60_010))
      .emits(attempted(2, 60_010, 300_010))
  })
  test('waits grow up to a bound', () => {
    const late = attempted(7, 10, 20)
    given(requested(), late)
      .when(attemptAt(20))
      .emits(attempted(8, 20, 20 + MAIL_RETRY_MAX_MS))
  })
  test('what was handed over is settled', () => {
    given(requested(), attempted(1, 10, 60_010))
      .when(confirmAt(12))
      .emits(settled('SENT', 12))
    given(requested(), settled('SENT', 12)).when(attemptAt(13)).isRejectedWith({ code: 'MAIL_SETTLED', mailId: 'r1' })
    given(requested(), settled('SENT', 12)).when(confirmAt(13)).isRejectedWith({ code: 'MAIL_SETTLED', mailId: 'r1' })
  })
  test('a mail is given up after so many attempts, or when its link has ended', () => {
    given(requested(), attempted(MAIL_ATTEMPT_COUNT_MAX, 10, 20))
      .when(attemptAt(20))
      .emits(settled('ABANDONED', 20))
    given(requested()).when(attemptAt(1_000_000_001)).emits(settled('ABANDONED', 1_000_000_001))
  })
  test('one mail tells of an invitation, with a link when a first password is to be set', () => {
    const mail = { mailId: 'i1', kind: 'invitation', merchantId: 'm1', attemptCount: 0, dueAt: 10 }
    expect(fold(invited).pending).toEqual([{ ...mail, linkExpiresAt: null }])
    expect(fold(invited, firstPassword).pending).toEqual([{ ...mail, linkExpiresAt: 900 }])
  })
  test('a membership without an invitation is not mailed', () => {
    expect(fold({ ...invited, data: { ...invited.data, invitationId: null } } as MailsEvent).pending).toEqual([])
  })
  test('links that are void are not mailed any more', () => {
    const changed: MailsEvent = { type: 'PasswordChanged', data: { userId: 'u1', passwordHash: '', resetId: null, at: 11 } }
    const verified: MailsEvent = { type: 'EmailVerified', data: { userId: 'u1', verificationId: 'v1', at: 11 } }
    expect(fold(requested(), verification, invited, changed).pending.map(({ mailId }) => mailId)).toEqual(['v1', 'i1'])
    expect(fold(requested(), verification, verified).pending.map(({ mailId }) => mailId)).toEqual(['r1'])
  })
  test('an invitation that waits while a password is set is mailed without its link, which is void', () => {
    const changed: MailsEvent = { type: 'PasswordChanged', data: { userId: 'u1', passwordHash: '', resetId: null, at: 11 } }
    expect(fold(invited, firstPassword, changed).pending).toMatchObject([{ mailId: 'i1', linkExpiresAt: null }])
  })
  test('the link that proves an address is not mailed any more when one that sets a password has proved it', () => {
    const reset: MailsEvent = { type: 'PasswordChanged', data: { userId: 'u1', passwordHash: '', resetId: 'r1', at: 11 } }
    expect(fold(verification, requested(), reset).pending).toEqual([])
  })
  test('nothing is mailed to an account that is closed to its owner', () => {
    const closed: MailsEvent = { type: 'UserDeactivated', data: { userId: 'u1', at: 11 } }
    expect(fold(requested(), verification, invited, closed).pending).toEqual([])
  })
  test('the number of pending mails is bounded', () => {
    const many = Array.from({ length: PENDING_MAIL_COUNT_MAX + 1 }, (_, i) => requested(`r${i}`))
    expect(fold(...many).pending.map(({ mailId }) => mailId)).toEqual(many.slice(1).map((_, i) => `r${i + 1}`))
  })
})
