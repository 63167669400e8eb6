import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { callbackify } from 'node:util'
import type { OutboundPhase } from '@switchyard/kernel'
import type { AddressRules } from './address-rules.ts'
import { AddressBlocked } from './failures.ts'
import { ADDRESSES_PER_NAME_MAX, CONNECT_ATTEMPT_TIMEOUT_MS } from './limits.ts'
import type { ResolveName } from './resolve-name.ts'
import { hostOf } from './url-rules.ts'

/** How sockets are opened. */
export interface SocketSettings {
  readonly addresses: AddressRules
  readonly resolveName: ResolveName
  /** PEM of authorities that are trusted instead of those that come with Node. */
  readonly certificateAuthorities?: string | undefined
}

/** What becomes of a socket. */
export interface SocketEvents {
  readonly phase: (phase: OutboundPhase) => void
  readonly opened: (socket: Socket) => void
  readonly failed: (error: Error) => void
}

/** The addresses of a name that are allowed; none is an error. */
const allowedAddresses = async ({ addresses, resolveName }: SocketSettings, name: string): Promise<readonly string[]> => {
  const all = await resolveName(name)
  const allowed = all.filter(addresses.isAllowed).slice(0, ADDRESSES_PER_NAME_MAX)
  if (allowed.length === 0) throw new AddressBlocked(`${name} has no address that is allowed`)
  return allowed
}

/** The name is resolved once; the socket goes to one of these addresses and never asks again. */
const checkedLookup = (settings: SocketSettings, found: () => void): LookupFunction => {
  const lookup = callbackify((name: string) => allowedAddresses(settings, name))
  return (name, _options, callback) =>
    lookup(name, (error, addresses) => {
      if (error !== null) return callback(error, [])
      found()
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      )
    })
}

const begin = (url: URL, settings: SocketSettings, lookup: LookupFunction): Socket => {
  const host = hostOf(url)
  const isTls = url.protocol === 'https:'
  const port = Number(url.port) || (isTls ? 443 : 80)
  const inTurn = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_TIMEOUT_MS }
  const target = { host, port, lookup, ...inTurn, noDelay: true }
  if (!isTls) return netConnect(target)
  const name = isIP(host) === 0 ? { servername: host } : {}
  const trust = settings.certificateAuthorities === undefined ? {} : { ca: settings.certificateAuthorities }
  return tlsConnect({ ...target, ...name, ...trust, ALPNProtocols: ['http/1.1'], minVersion: 'TLSv1.2', rejectUnauthorized: true })
}

/**
 * Opens a socket to the host of `url`, with TLS when the URL says so: at least version 1.2, the certificate checked against the name
 * of the URL. The address that was reached is checked once more. Answers with the socket while it is being opened.
 */
export const openSocket = (url: URL, settings: SocketSettings, events: SocketEvents): Socket => {
  events.phase(isIP(hostOf(url)) === 0 ? 'dns' : 'connect')
  const socket = begin(
    url,
    settings,
    checkedLookup(settings, () => events.phase('connect')),
  )
  const isTls = url.protocol === 'https:'
  const opened = (): void => {
    socket.off('error', events.failed)
    events.phase('answer')
    events.opened(socket)
  }
  socket.once('error', events.failed)
  socket.once('connect', () => {
    if (!settings.addresses.isAllowed(socket.remoteAddress ?? '')) {
      socket.destroy(new AddressBlocked('the address that was reached is not allowed'))
    } else if (isTls) events.phase('tls')
    else opened()
  })
  if (isTls) socket.once('secureConnect', opened)
  return socket
}
