import { type Mailer, OperatingError } from '@switchyard/kernel'

/** Where there is neither a mail server nor a folder for mails: each one is refused, told in the log, and given up in the end. */
export const noMailer: Mailer = {
  send: () => Promise.reject(new OperatingError('MAIL_UNAVAILABLE', 'no mail server is named in SWITCHYARD_SMTP_URL', { retryable: true })),
}
