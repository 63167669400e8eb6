import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createSmtpMailer } from './smtp-mailer.ts'

const mail = { id: 'm-1', to: 'ann@example.test', subject: 'Grüße', text: 'Follow https://app.example.test/reset?token=se-cret' }

/** Says what a mail server says, and keeps what it hears. */
const serve = (socket: Socket, heard: string[], refusing: string | undefined): void => {
  let isData = false
  const answer = (line: string): string | undefined => {
    if (isData) {
      isData = line !== '.'
      return isData ? undefined : '250 taken'
    }
    if (refusing !== undefined && line.startsWith(refusing)) return `550 no ${line}`
    if (line === 'DATA') {
      isData = true
      return '354 go on'
    }
    return line === 'QUIT' ? '221 bye' : '250 fine'
  }
  socket.write('220 mail.test\r\n')
  let rest = ''
  socket.on('data', (chunk) => {
    const lines = `${rest}${chunk.toString()}`.split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      heard.push(line)
      const reply = answer(line)
      if (reply !== undefined) socket.write(`${reply}\r\n`)
    }
  })
  socket.on('error', () => {})
}

describe('mails by SMTP', () => {
  let server: Server
  const start = async (refusing?: string, host = '127.0.0.1'): Promise<{ readonly port: number; readonly heard: readonly string[] }> => {
    const heard: string[] = []
    server = createServer((socket) => serve(socket, heard, refusing)).listen(0, host)
    await once(server, 'listening')
    return { port: (server.address() as AddressInfo).port, heard }
  }
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  test('are handed over to the server', async () => {
    const { port, heard } = await start()
    await createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, sender: 'no-reply@example.test' }).send(mail)
    expect(heard).toEqual(
      expect.arrayContaining(['MAIL FROM:<no-reply@example.test>', 'RCPT TO:<ann@example.test>', 'Message-ID: <m-1@switchyard>']),
    )
    expect(heard.join('').replaceAll(/=3D/g, '=')).toContain('token=se-cret')
  })
  test('are handed over to a server that is named by an IPv6 address', async () => {
    const { port, heard } = await start(undefined, '::1')
    await createSmtpMailer({ url: `smtp://[::1]:${port}`, sender: 'no-reply@example.test' }).send(mail)
    expect(heard).toContain('RCPT TO:<ann@example.test>')
  })
  test('one mail goes to one mailbox, whatever the address looks like', async () => {
    const { port, heard } = await start()
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, sender: 'no-reply@example.test' })
    await mailer.send({ ...mail, to: 'a@example.test, eve@example.test' }).catch(() => {})
    expect(heard.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1)
    expect(heard).not.toContain('RCPT TO:<eve@example.test>')
  })
  test('what the server refuses is told without the mail', async () => {
    const { port } = await start('RCPT')
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, sender: 'no-reply@example.test' })
    const error: unknown = await mailer.send(mail).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'MAIL_UNAVAILABLE', retryable: true, cause: undefined })
    expect(String(error)).not.toContain('ann@example.test')
  })
  test('a password is not sent to a server without encryption', async () => {
    const { port, heard } = await start()
    const mailer = createSmtpMailer({ url: `smtp://user:pass@127.0.0.1:${port}`, sender: 'no-reply@example.test' })
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE' })
    expect(heard.some((line) => line.startsWith('AUTH') || line.startsWith('DATA'))).toBe(false)
  })
  test('a server that is away is told', async () => {
    const { port } = await start()
    await new Promise((resolve) => server.close(resolve))
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, sender: 'no-reply@example.test' })
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'MAIL_UNAVAILABLE' })
  })
})
