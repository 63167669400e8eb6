import { type MailsState, mails, type PendingMail, users } from '@switchyard/access'
import type { Mail, Mailer, Now } from '@switchyard/kernel'
import type { HandleCommand, LifecycleReport, Part, StreamStates, Timers } from '@switchyard/runtime'
import { MAILS_IN_FLIGHT_MAX } from '../limits.ts'
import type { Recipient } from './compose-mail.ts'

/** What {@link createMailSender} needs. */
export interface MailSenderDependencies {
  readonly states: Pick<StreamStates, 'stateOf' | 'onChange'>
  readonly handle: HandleCommand
  readonly mailer: Mailer
  readonly compose: (mail: PendingMail, recipient: Recipient) => Mail
  readonly now: Now
  readonly timers: Timers
  readonly report: Pick<LifecycleReport, 'failed'>
}

/** When to look again after the log did not answer, milliseconds. */
const LOG_RETRY_MS = 5_000
/** Longest time that a timer is set for, milliseconds; beyond it one looks again. */
const TIMER_MAX_MS = 3_600_000

/** Sends one mail; resolves when it was handed over, was given up, or will be tried again later. */
const createAttempt = ({ states, handle, mailer, compose, now, report }: MailSenderDependencies) => {
  const command = (type: 'AttemptMail' | 'ConfirmMail', userId: string, mailId: string) =>
    handle(mails, { key: userId, command: { type, userId, mailId, at: now() }, origin: { actor: 'system', requestId: mailId } })
  const isPending = ({ pending }: MailsState, mailId: string): boolean => pending.some((mail) => mail.mailId === mailId)

  return async (userId: string, mail: PendingMail): Promise<void> => {
    const { account } = states.stateOf(users, userId)
    const { mailId } = mail
    const attempt = await command('AttemptMail', userId, mailId)
    // Another process has it in hand, or it is settled.
    if (!attempt.accepted || account === null) return
    if (!isPending(attempt.state, mailId)) return report.failed(`a mail (${mail.kind}, ${mailId}) was given up`, undefined)
    try {
      await mailer.send(compose(mail, { userId, email: account.email }))
    } catch (error) {
      return report.failed(`a mail (${mail.kind}, ${mailId}) was not sent, it is tried again`, error)
    }
    await command('ConfirmMail', userId, mailId)
  }
}

/**
 * Sends what is pending, whoever asked for it and whenever: events are the queue, so what a process leaves behind when it ends is
 * sent by the next one that sees it. Commands never wait for it.
 */
export const createMailSender = (dependencies: MailSenderDependencies): Part => {
  const { states, now, timers, report } = dependencies
  const attempt = createAttempt(dependencies)
  /** Users with pending mails. */
  const waiting = new Set<string>()
  const inFlight = new Map<string, Promise<void>>()
  let isRunning = false
  let cancel: (() => void) | undefined

  const wakeIn = (delayMs: number): void => {
    cancel?.()
    cancel = timers.after(Math.min(delayMs, TIMER_MAX_MS), look)
  }

  const begin = (userId: string, mail: PendingMail): void => {
    const lookAgain = (delayMs: number): void => {
      inFlight.delete(mail.mailId)
      if (isRunning) wakeIn(delayMs)
    }
    const mine = attempt(userId, mail).then(
      () => lookAgain(0),
      (error: unknown) => {
        report.failed('the log did not take what became of a mail', error)
        lookAgain(LOG_RETRY_MS)
      },
    )
    inFlight.set(mail.mailId, mine)
  }

  function look(): void {
    let nextAt = Number.POSITIVE_INFINITY
    for (const userId of waiting) {
      for (const mail of states.stateOf(mails, userId).pending) {
        if (inFlight.size >= MAILS_IN_FLIGHT_MAX) return
        if (inFlight.has(mail.mailId)) continue
        if (mail.dueAt <= now()) begin(userId, mail)
        else nextAt = Math.min(nextAt, mail.dueAt)
      }
    }
    if (nextAt !== Number.POSITIVE_INFINITY) wakeIn(nextAt - now())
  }

  states.onChange((key) => {
    if (states.stateOf(mails, key).pending.length === 0) waiting.delete(key)
    else {
      waiting.add(key)
      if (isRunning) wakeIn(0)
    }
  })

  return {
    name: 'mails',
    start: async () => {
      isRunning = true
      wakeIn(0)
    },
    stop: async () => {
      isRunning = false
      cancel?.()
      await Promise.all(inFlight.values())
    },
  }
}
