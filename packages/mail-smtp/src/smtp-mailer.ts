import { type Mailer, OperatingError } from '@switchyard/kernel'
import { createTransport } from 'nodemailer'

/** Until the server must have taken the connection, greeted and answered each command, milliseconds. */
const ANSWER_MAX_MS = 10_000

/** The server, and who sends. */
export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly url: string
  /** Address of the sender. */
  readonly sender: string
}

/**
 * Hands mails over to an SMTP server. `smtps` is encrypted from the start; with `smtp` a password is sent only behind STARTTLS, and
 * without one encryption is used where the server offers it. Mails are rare: each has a connection of its own.
 */
export const createSmtpMailer = ({ url, sender }: SmtpOptions): Mailer => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    // Brackets around an IPv6 address belong to the URL.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== '',
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: ANSWER_MAX_MS,
    greetingTimeout: ANSWER_MAX_MS,
    socketTimeout: ANSWER_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ id, to, subject, text }) => {
      try {
        // An address object is never parsed as a list: one mail goes to one mailbox.
        await transport.sendMail({ from: sender, to: { name: '', address: to }, subject, text, messageId: `<${id}@switchyard>` })
      } catch (error) {
        // The driver's message may repeat what it sent: only its code goes on.
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
        throw new OperatingError('MAIL_UNAVAILABLE', `the mail server did not take a mail (${code})`, { retryable: true })
      }
    },
  }
}
