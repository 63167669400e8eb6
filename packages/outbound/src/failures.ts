import { assertNever, type OutboundPhase, type OutboundResult } from '@switchyard/kernel'
import { errors } from 'undici'

/** Every address of a name, or the address that a socket reached, is blocked. */
export class AddressBlocked extends Error {
  override readonly name = 'AddressBlocked'
  readonly code = 'ADDRESS_BLOCKED'
}

/** More informational answers came than are passed over. */
export class TooManyInformational extends Error {
  override readonly name = 'TooManyInformational'
  readonly code = 'TOO_MANY_INFORMATIONAL'
}

type NamedKind = 'refused' | 'connection_refused' | 'network_unreachable' | 'timeout' | 'invalid_response'

const KINDS: Readonly<Record<string, NamedKind | undefined>> = {
  ADDRESS_BLOCKED: 'refused',
  ECONNREFUSED: 'connection_refused',
  ENETUNREACH: 'network_unreachable',
  EHOSTUNREACH: 'network_unreachable',
  EADDRNOTAVAIL: 'network_unreachable',
  ENETDOWN: 'network_unreachable',
  EHOSTDOWN: 'network_unreachable',
  EACCES: 'network_unreachable',
  EPERM: 'network_unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  TOO_MANY_INFORMATIONAL: 'invalid_response',
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Headers that can't be sent: whoever made the request did not check them. */
export const isCallersFault = (error: unknown): boolean => codeOf(error) === 'UND_ERR_INVALID_ARG'

/** What a failure is, from the code of the error and how far the request had come. */
export const failureOf = (error: unknown, phase: OutboundPhase): OutboundResult => {
  const kind = KINDS[codeOf(error)]
  switch (kind) {
    case 'refused':
      return { kind: 'refused', rule: 'blocked_address' }
    case 'timeout':
      return { kind: 'timeout', phase }
    case 'connection_refused':
    case 'network_unreachable':
    case 'invalid_response':
      return { kind }
    case undefined:
      return unnamedFailure(error, phase)
    default:
      return assertNever(kind)
  }
}

const unnamedFailure = (error: unknown, phase: OutboundPhase): OutboundResult => {
  if (error instanceof errors.HTTPParserError) return { kind: 'invalid_response' }
  if (phase === 'dns') return { kind: 'dns_error' }
  return { kind: phase === 'tls' ? 'tls_error' : 'connection_reset' }
}
