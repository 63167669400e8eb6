import type { PendingMail } from '@switchyard/access'
import type { LinkTokens } from '@switchyard/http'
import { assertNever, type Mail } from '@switchyard/kernel'

/** What a mail is made of beside what is pending. */
export interface MailContext {
  readonly links: Pick<LinkTokens, 'issue'>
  /** Where the pages are that links lead to, without a slash at its end. */
  readonly baseUrl: string
  /** What people call a merchant. */
  readonly nameOf: (merchantId: string) => string
}

/** Whom a mail is for. */
export interface Recipient {
  readonly userId: string
  readonly email: string
}

/** How long a link works; `at` is epoch milliseconds. */
const validity = (at: number | null): string =>
  `The link works once${at === null ? '' : `, until ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`}.`

const passwordLink = ({ mailId }: PendingMail, { userId }: Recipient, { links, baseUrl }: MailContext): string =>
  `${baseUrl}/reset-password?token=${links.issue('reset-password', { userId, linkId: mailId })}`

const resetText = (mail: PendingMail, recipient: Recipient, context: MailContext): string =>
  `Somebody asked to set a new password for ${recipient.email}.

${passwordLink(mail, recipient, context)}

${validity(mail.linkExpiresAt)} If it was not you, there is nothing to do: your password stays as it is.`

const verificationText = (mail: PendingMail, { userId, email }: Recipient, { links, baseUrl }: MailContext): string =>
  `Somebody signed up with ${email}. If it was you, confirm the address:

${baseUrl}/verify-email?token=${links.issue('verify-email', { userId, linkId: mail.mailId })}

${validity(mail.linkExpiresAt)} If it was not you, do not follow it.`

const invitationText = (mail: PendingMail, recipient: Recipient, context: MailContext): string => {
  const { merchantId, linkExpiresAt } = mail
  const joined = `You are now a member of ${merchantId === null ? 'a merchant' : context.nameOf(merchantId)}.`
  if (linkExpiresAt === null) return `${joined}\n\nLog in at ${context.baseUrl} with ${recipient.email}.`
  return `${joined}\n\nChoose a password for ${recipient.email}:\n\n${passwordLink(mail, recipient, context)}\n\n${validity(linkExpiresAt)}`
}

/** The mail with its link; whoever has it can use the link. */
export const composeMail = (mail: PendingMail, recipient: Recipient, context: MailContext): Mail => {
  const { mailId: id, kind } = mail
  const to = recipient.email
  switch (kind) {
    case 'password-reset':
      return { id, to, subject: 'Set a new password', text: resetText(mail, recipient, context) }
    case 'email-verification':
      return { id, to, subject: 'Confirm your e-mail address', text: verificationText(mail, recipient, context) }
    case 'invitation':
      return { id, to, subject: 'You were invited', text: invitationText(mail, recipient, context) }
    default:
      return assertNever(kind)
  }
}
