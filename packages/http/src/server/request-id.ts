import type { NewId } from '@switchyard/kernel'
import { REQUEST_ID_LENGTH_MAX } from '../limits.ts'

const PRINTABLE = /^[\x20-\x7e]+$/

/** The client's `x-request-id` when it is printable and not too long, else a new one. */
export const requestIdOf = (inbound: string | readonly string[] | undefined, newId: NewId): string =>
  typeof inbound === 'string' && inbound.length <= REQUEST_ID_LENGTH_MAX && PRINTABLE.test(inbound) ? inbound : newId()
