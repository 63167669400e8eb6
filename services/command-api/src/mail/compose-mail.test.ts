import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import type { PendingMail } from '@switchyard/access'
import { composeMail } from './compose-mail.ts'

const context = { links: { issue: () => 'secret' }, baseUrl: 'https://app.example.test', nameOf: (merchantId: string) => merchantId }
const kinds: readonly PendingMail['kind'][] = ['email-verification', 'password-reset', 'invitation']

/** Path of the page that a mail of this kind leads to. */
const pageOf = (kind: PendingMail['kind']): string => {
  const mail: PendingMail = { mailId: 'mail-1', kind, merchantId: 'm_1', linkExpiresAt: 9_000_000, attemptCount: 0, dueAt: 0 }
  const { text } = composeMail(mail, { userId: 'u1', email: 'ann@example.test' }, context)
  return /https:\/\/app\.example\.test(\/[^?]+)\?token=secret/.exec(text)?.[1] ?? ''
}

test('README.md names every page that links in mails lead to, as none comes with the service', () => {
  const text = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')
  const row = /^\| `SWITCHYARD_MAIL_BASE_URL` \|.*$/m.exec(text)?.[0] ?? ''
  expect(kinds.map(pageOf).filter((page) => !row.includes(`\`${page}\``))).toEqual([])
})
