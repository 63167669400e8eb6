import { Resolver } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { DNS_OTHER_KIND_MS, DNS_TIMEOUT_MS, DNS_TRIES } from './limits.ts'

/** All addresses of a name; rejects when it has none, with the reason as `code`. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const LOOPBACK = ['127.0.0.1', '::1']

type Addresses = readonly string[]

/** Asks name servers for the addresses of one kind. */
interface NameServers {
  readonly resolve4: (name: string) => Promise<Addresses>
  readonly resolve6: (name: string) => Promise<Addresses>
}

/** The answer to a question; none when `other` has addresses for a while, and this one is still silent. */
const unlessLate = (question: Promise<Addresses>, other: Promise<Addresses>, lateMs: number): Promise<Addresses> => {
  const late = other.then(
    () => pause(lateMs, [], { ref: false }),
    () => question,
  )
  return Promise.race([question, late])
}

/**
 * Asks name servers directly. The system's own lookup would take one of a few threads for as long as a dead name server lets it wait,
 * and with them whatever else the process does on files. There are servers that answer for one kind of address and are silent for the
 * other: that one is not waited for. `localhost` and names under it are this machine, as everywhere.
 */
export const createNameResolver = (
  resolver: NameServers = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES }),
  lateMs: typeof DNS_OTHER_KIND_MS = DNS_OTHER_KIND_MS,
): ResolveName => {
  return async (name) => {
    if (/(^|\.)localhost$/i.test(name)) return LOOPBACK
    const [v4, v6] = [resolver.resolve4(name), resolver.resolve6(name)]
    const answers = await Promise.allSettled([unlessLate(v4, v6, lateMs.v4), unlessLate(v6, v4, lateMs.v6)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (found.length === 0 && failed !== undefined) throw failed.reason
    return found
  }
}
