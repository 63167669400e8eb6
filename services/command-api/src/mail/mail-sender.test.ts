import { describe, expect, test } from '@jest/globals'
import { mails, users } from '@switchyard/access'
import { runtimeCollections as collections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { type EventLog, type Mail, OperatingError } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createCommandHandler, createStreamStates, systemTimers } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { createMailSender } from './mail-sender.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const failing = (error: unknown): never => {
  throw error
}

/** A process that sends mails. */
const startProcess = async (log: EventLog, send: (mail: Mail) => Promise<void>, now: () => number) => {
  let idCount = 0
  const name = Math.random().toString(36).slice(2)
  const newId = (): string => `${name}-${++idCount}`
  const states = createStreamStates({ log, store: createMemoryStore({ collections }), codec, slices: [users, mails], onFailure: failing })
  const handle = createCommandHandler({ log, codec, states, newId })
  const reported: string[] = []
  const sender = createMailSender({
    states,
    handle,
    mailer: { send },
    compose: ({ mailId: id }, { email: to }) => ({ id, to, subject: '', text: '' }),
    now,
    timers: systemTimers,
    report: { failed: (text) => reported.push(text) },
  })
  await states.start()
  await sender.start(new AbortController().signal)
  const origin = { actor: 'anonymous', requestId: 'r' }
  return {
    reported,
    signUp: async (linkId: string) => {
      const account = { userId: 'u1', email: 'ann@example.test', passwordHash: '' }
      const verification = { linkId, expiresAt: 9_000_000 }
      const command = { type: 'SignUp', ...account, merchantId: null, merchantRegistrationCount: 0, verification, at: now() } as const
      await handle(users, { key: 'u1', command, origin })
    },
    typesRecorded: async (): Promise<readonly string[]> => {
      const types: string[] = []
      for await (const batch of log.read('config', new Map())) types.push(...batch.map(({ value }) => codec.decode(value).type))
      return types
    },
    pendingCount: () => states.stateOf(mails, 'u1').pending.length,
    stop: async () => {
      await sender.stop()
      await states.stop()
    },
  }
}

/** Asks until it holds; the bound is that of the test. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve))
}

describe('sending mails', () => {
  test('of several processes one sends', async () => {
    const log = createMemoryLog()
    const sent: string[] = []
    const send = async ({ id }: Mail): Promise<void> => void sent.push(id)
    const processes = await Promise.all(Array.from({ length: 4 }, () => startProcess(log, send, () => 1_000)))
    await processes[0]?.signUp('mail-1')
    await until(() => processes.every(({ pendingCount }) => pendingCount() === 0))
    await Promise.all(processes.map(({ stop }) => stop()))
    expect(sent).toEqual(['mail-1'])
  })

  test('a process that ends while it sends leaves the mail to the next one, which waits its turn', async () => {
    const log = createMemoryLog()
    let now = 1_000
    const hanging = await startProcess(
      log,
      () => new Promise(() => {}),
      () => now,
    )
    await hanging.signUp('mail-1')
    await until(async () => (await hanging.typesRecorded()).includes('MailAttempted'))
    // It is not stopped: it is gone.
    const sent: string[] = []
    now += 60_000
    const next = await startProcess(
      log,
      async ({ id }) => void sent.push(id),
      () => now,
    )
    await until(() => next.pendingCount() === 0)
    await next.stop()
    expect(sent).toEqual(['mail-1'])
    expect((await next.typesRecorded()).slice(-2)).toEqual(['MailAttempted', 'MailSettled'])
  })

  test('what nobody takes is given up, and told without address and link', async () => {
    const log = createMemoryLog()
    let now = 1_000
    const refusing = () => Promise.reject(new OperatingError('MAIL_UNAVAILABLE', 'away', { retryable: true }))
    const first = await startProcess(log, refusing, () => now)
    await first.signUp('mail-1')
    await until(() => first.reported.length === 1)
    await first.stop()
    now = 9_000_001
    const second = await startProcess(log, refusing, () => now)
    await until(() => second.pendingCount() === 0)
    await until(() => second.reported.length === 1)
    await second.stop()
    expect([...first.reported, ...second.reported]).toEqual([
      'a mail (email-verification, mail-1) was not sent, it is tried again',
      'a mail (email-verification, mail-1) was given up',
    ])
  })
})
