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
  /** Whether a hash was made with other parameters than new ones are: worth making anew, when the password is at hand. */
  readonly isOutdated: (passwordHash: string) => boolean
  /** More checks wait than are worth waiting for: answer 503 instead of queueing one more. */
  readonly isBusy: () => boolean
}

/** The part of the library that is used. */
export interface Argon2 {
  readonly hash: typeof hash
  readonly verify: typeof verify
}

/** The library itself. */
export const argon2: Argon2 = { hash, verify }

/** How every hash of this cost begins. */
const parametersOf = ({ memoryKib, passCount, laneCount }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryKib},t=${passCount},p=${laneCount}$`

/** A well-formed hash of this cost that no password has: checking against it takes the time of a real check. */
const unmatchedHash = (cost: PasswordCost): string => {
  const salt = Buffer.alloc(16, 1).toString('base64').replaceAll('=', '')
  const digest = Buffer.alloc(32).toString('base64').replaceAll('=', '')
  return `${parametersOf(cost)}${salt}$${digest}`
}

/** Passwords under argon2id; tests pass a cheap cost. */
export const createPasswords = ({ cost, library = argon2 }: { readonly cost: PasswordCost; readonly library?: Argon2 }): Passwords => {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passCount, parallelism: cost.laneCount }
  const unmatched = unmatchedHash(cost)
  const parameters = parametersOf(cost)
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
    hash: (password) => counted(library.hash(password, options)),
    verify: async (passwordHash, password) => {
      const matches = await counted(library.verify(passwordHash ?? unmatched, password))
      return matches && passwordHash !== undefined
    },
    isOutdated: (passwordHash) => !passwordHash.startsWith(parameters),
    isBusy: () => inFlightCount >= PASSWORD_CHECKS_IN_FLIGHT_MAX,
  }
}
