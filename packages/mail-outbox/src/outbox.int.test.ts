import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createOutbox, OUTBOX_MAIL_COUNT_MAX } from './outbox.ts'

const mail = { id: 'm-1', to: 'ann@example.test', subject: 'Grüße', text: 'one\n\ntwo' }

describe('the outbox', () => {
  let root = ''
  const folder = (): string => join(root, 'outbox')
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'switchyard-outbox-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  test('keeps a mail as a file that its owner alone reads', async () => {
    await createOutbox({ folder: folder(), now: () => 0 }).send(mail)
    expect(readFileSync(join(folder(), 'm-1.eml'), 'utf8').split('\r\n')).toEqual([
      'Date: Thu, 01 Jan 1970 00:00:00 GMT',
      'Message-ID: <m-1@switchyard>',
      'To: ann@example.test',
      'Subject: Grüße',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'one\n\ntwo',
      '',
    ])
    expect([statSync(join(folder(), 'm-1.eml')).mode & 0o777, statSync(folder()).mode & 0o777]).toEqual([0o600, 0o700])
  })
  test('a mail that comes again replaces itself', async () => {
    const outbox = createOutbox({ folder: folder(), now: () => 0 })
    await outbox.send(mail)
    await outbox.send(mail)
    expect(readdirSync(folder())).toEqual(['m-1.eml'])
  })
  test('no header is written by an address or a subject', async () => {
    await createOutbox({ folder: folder(), now: () => 0 }).send({ ...mail, to: 'a@b\r\nBcc: c@d', subject: 'x\ny' })
    const text = readFileSync(join(folder(), 'm-1.eml'), 'utf8')
    expect([text.includes('\nBcc'), text.includes('Subject: x y')]).toEqual([false, true])
  })
  test('the oldest make room', async () => {
    const outbox = createOutbox({ folder: folder(), now: () => 0 })
    await outbox.send({ ...mail, id: 'a' })
    for (let i = 0; i < OUTBOX_MAIL_COUNT_MAX; i++) writeFileSync(join(folder(), `b-${String(i).padStart(5, '0')}.eml`), '')
    await outbox.send({ ...mail, id: 'c' })
    expect([existsSync(join(folder(), 'a.eml')), existsSync(join(folder(), 'c.eml')), readdirSync(folder()).length]).toEqual([
      false,
      true,
      OUTBOX_MAIL_COUNT_MAX,
    ])
  })
  test('a folder that can not be written, or an id that is no name, is told', async () => {
    writeFileSync(folder(), '')
    await expect(createOutbox({ folder: folder(), now: () => 0 }).send(mail)).rejects.toMatchObject({
      code: 'MAIL_UNAVAILABLE',
      retryable: true,
    })
    await expect(createOutbox({ folder: join(root, 'x'), now: () => 0 }).send({ ...mail, id: '../x' })).rejects.toMatchObject({
      code: 'MAIL_UNAVAILABLE',
    })
  })
})
