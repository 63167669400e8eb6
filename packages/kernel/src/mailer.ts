/** A mail in plain text. It may hold a secret link: it is handed over, and never logged. */
export interface Mail {
  /** Unique; the same when a mail goes out again because nobody knows whether it did. At most 64 characters, letters, digits and hyphens. */
  readonly id: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Where mails go. */
export interface Mailer {
  /** Resolves when the mail was taken over; rejects with `MAIL_UNAVAILABLE` within a bound, also when it may have been taken over. */
  readonly send: (mail: Mail) => Promise<void>
}
