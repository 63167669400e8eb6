export type { SmtpOptions } from './smtp-mailer.ts'
export { createSmtpMailer } from './smtp-mailer.ts'
