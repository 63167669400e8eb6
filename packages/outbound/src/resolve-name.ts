import { Resolver } from 'node:dns/promises'
import { DNS_TIMEOUT_MS, DNS_TRIES } from './limits.ts'

/** All addresses of a name; rejects when it has none, with the reason as `code`. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Asks name servers directly. The system's own lookup would take one of a few threads for as long as a dead name server lets it wait,
 * and with them whatever else the process does on files. `localhost` and names under it are this machine, as everywhere.
 */
export const createNameResolver = (): ResolveName => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  return async (name) => {
    if (/(^|\.)localhost$/i.test(name)) return LOOPBACK
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (found.length === 0 && failed !== undefined) throw failed.reason
    return found
  }
}
