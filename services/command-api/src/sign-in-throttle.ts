import { type AttemptLimit, createAttemptLimit, platformError, type RouteReply } from '@switchyard/http'
import type { Now } from '@switchyard/kernel'

/** One failed attempt of an account is forgotten in so many milliseconds. */
const ACCOUNT_REFILL_MS = 60_000
/** One failed attempt from an address is forgotten in so many milliseconds. */
const ADDRESS_REFILL_MS = 6_000

/** Who tries what, and whose account. */
interface Attempt {
  /** Naming a password, or asking for a link: who does one too often can still do the other. */
  readonly kind: 'password' | 'reset-request'
  /** Of the account, whether or not there is one: the answers must not tell. */
  readonly userId: string
  /** Address of the client. */
  readonly clientAddress: string
}

/** Slows down those who guess passwords, by account and by address. */
export interface SignInThrottle {
  /** Counts an attempt as failed; the answer when there were too many. Taken before the password is looked at, so that many at once are counted too. */
  readonly take: (attempt: Attempt) => RouteReply | undefined
  /** The attempt that was taken did not fail. */
  readonly forgive: (attempt: Attempt) => void
}

/** How many failed attempts may follow each other. */
export interface ThrottleOptions {
  readonly now: Now
  /** Of one account. */
  readonly accountAttemptCount: number
  /** From one address, whomever they are for. */
  readonly addressAttemptCount: number
}

const tooMany = (retryAfterMs: number): RouteReply => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return { ...platformError(429, 'TE_04', `Too many attempts; try again in ${seconds} s`), headers: { 'retry-after': String(seconds) } }
}

/** The {@link SignInThrottle} of a process; each replica counts by itself. */
export const createSignInThrottle = (options: ThrottleOptions): SignInThrottle => {
  const { now, accountAttemptCount, addressAttemptCount } = options
  const ofAccounts = (): AttemptLimit => createAttemptLimit({ burstCount: accountAttemptCount, refillMs: ACCOUNT_REFILL_MS, now })
  const accounts = { password: ofAccounts(), 'reset-request': ofAccounts() }
  const addresses = createAttemptLimit({ burstCount: addressAttemptCount, refillMs: ADDRESS_REFILL_MS, now })
  return {
    take: ({ kind, userId, clientAddress }) => {
      const ofAddress = addresses.take(clientAddress)
      if (!ofAddress.taken) return tooMany(ofAddress.retryAfterMs)
      const ofAccount = accounts[kind].take(userId)
      // What is refused for the account is an attempt from that address all the same.
      return ofAccount.taken ? undefined : tooMany(ofAccount.retryAfterMs)
    },
    forgive: ({ kind, userId, clientAddress }) => {
      accounts[kind].giveBack(userId)
      addresses.giveBack(clientAddress)
    },
  }
}
