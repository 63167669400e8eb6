import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_CHECKS_IN_FLIGHT_MAX } from '../limits.ts'

/** What hashing one password costs (argon2id). */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passCount: number
  readonly laneCount: number
}

/** Cost for production: about 20 ms and 19 MiB a check on one core. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passCount: 2, laneCount: 1 }

/** Hashing and checking of passwords, off the main thread. */
export interface Passwords {
  /** Hash as a PHC string, with a salt of its own. */
  readonly hash: (password: string) => Promise<string>
  /** Whether the password belongs to the hash. Without a hash (no such account) it takes as long and is false. */
  readonly verify: (passwordHash: string | undefined, password: string) => Promise<boolean>
  /** More checks wait than are worth waiting for: answer 503 instead of queueing one more. */
  readonly isBusy: () => boolean
}

/** A well-formed hash of this cost that no password has: checking against it takes the time of a real check. */
const unmatchedHash = ({ memoryKib, passCount, laneCount }: PasswordCost): string => {
  const salt = Buffer.alloc(16, 1).toString('base64').replaceAll('=', '')
  const digest = Buffer.alloc(32).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryKib},t=${passCount},p=${laneCount}$${salt}$${digest}`
}

/** Passwords under argon2id; tests pass a cheap cost. */
export const createPasswords = ({ cost }: { readonly cost: PasswordCost }): Passwords => {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passCount, parallelism: cost.laneCount }
  const unmatched = unmatchedHash(cost)
  let inFlightCount = 0

  const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
    inFlightCount++
    try {
      return await work
    } finally {
      inFlightCount--
    }
  }

  return {
    hash: (password) => counted(hash(password, options)),
    verify: async (passwordHash, password) => {
      const matches = await counted(verify(passwordHash ?? unmatched, password))
      return matches && passwordHash !== undefined
    },
    isBusy: () => inFlightCount >= PASSWORD_CHECKS_IN_FLIGHT_MAX,
  }
}
