import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mail, type Mailer, type Now, OperatingError } from '@switchyard/kernel'

/** Mails that the folder keeps; the oldest make room. */
export const OUTBOX_MAIL_COUNT_MAX = 1_000

const SUFFIX = '.eml'
const PLAIN_ID = /^[A-Za-z0-9-]{1,64}$/

/** A header is one line, whatever an address or a name has in it. */
const headerValue = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ')

const messageOf = ({ id, to, subject, text }: Mail, at: number): string =>
  [
    `Date: ${new Date(at).toUTCString()}`,
    `Message-ID: <${id}@switchyard>`,
    `To: ${headerValue(to)}`,
    `Subject: ${headerValue(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
    '',
  ].join('\r\n')

const makeRoom = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).sort()
  // Ids sort by time, so the first names are the oldest mails.
  for (const name of names.slice(0, Math.max(0, names.length - OUTBOX_MAIL_COUNT_MAX))) await rm(join(folder, name), { force: true })
}

/**
 * Writes each mail as a file `<id>.eml` that its owner alone can read: its links are secrets. A mail that goes out again
 * replaces itself.
 */
export const createOutbox = ({ folder, now }: { readonly folder: string; readonly now: Now }): Mailer => ({
  send: async (mail) => {
    try {
      if (!PLAIN_ID.test(mail.id)) throw new Error('the id of a mail names its file')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `${mail.id}.draft`)
      await writeFile(draft, messageOf(mail, now()), { mode: 0o600 })
      await rename(draft, join(folder, `${mail.id}${SUFFIX}`))
      await makeRoom(folder)
    } catch (cause) {
      throw new OperatingError('MAIL_UNAVAILABLE', `the outbox ${folder} can't be written`, { retryable: true, cause })
    }
  },
})
