import type { OutgoingHttpHeaders } from 'node:http'
import type { Hmac } from '@switchyard/kernel'
import { bodySignatureFault, type SignatureFault, standardSignatureFault } from '@switchyard/webhooks'
import type { Behaviour } from './receiver.ts'

/** Always this status. */
export const answering =
  (status: number, body: string | Uint8Array = 'ok', headers: OutgoingHttpHeaders = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
  }

/** Fails the first `failureCount` requests, then takes all. */
export const failingFirst =
  (failureCount: number, status = 500): Behaviour =>
  (_request, response, index) => {
    response.writeHead(index < failureCount ? status : 200).end()
  }

/** Takes a request, fails the next, and so on. */
export const alternating: Behaviour = (_request, response, index) => {
  response.writeHead(index % 2 === 0 ? 200 : 500).end()
}

/** Answers 200 after so long. */
export const sleeping =
  (durationMs: number): Behaviour =>
  (_request, response) => {
    const timer = setTimeout(() => response.writeHead(200).end('late'), durationMs)
    response.once('close', () => clearTimeout(timer))
  }

/** Never answers. */
export const silent: Behaviour = () => {}

/** Breaks the connection instead of answering. */
export const resetting: Behaviour = (_request, response) => {
  response.socket?.resetAndDestroy()
}

/** Points somewhere else. */
export const redirecting =
  (location: string, status = 302): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { location }).end()
  }

/** Answers 200 at once, then a byte of the body every so often, for ever. */
export const dripping =
  (intervalMs: number): Behaviour =>
  (_request, response) => {
    response.writeHead(200)
    response.write('a')
    const timer = setInterval(() => response.write('a'), intervalMs)
    response.once('close', () => clearInterval(timer))
  }

/** A body without an end, as fast as it is taken. */
export const flooding: Behaviour = (_request, response) => {
  const chunk = Buffer.alloc(65_536, 'x')
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200)
  response.on('drain', pour)
  pour()
}

/** What a checking receiver saw: how often each chain came, and the faults of signatures. */
export interface CheckedMessages {
  readonly countById: ReadonlyMap<string, number>
  readonly faults: readonly (SignatureFault | 'body_differs')[]
}

/** Takes what is signed under `secret` in both schemes, and remembers it; 401 for the rest. A chain's body never changes. */
export const checkingSignatures = (
  hmac: Hmac,
  secret: string,
  now: () => number,
): { readonly behaviour: Behaviour; readonly seen: CheckedMessages } => {
  const countById = new Map<string, number>()
  const bodyById = new Map<string, string>()
  const faults: (SignatureFault | 'body_differs')[] = []
  const behaviour: Behaviour = (request, response) => {
    const message = { headers: request.headers, body: Buffer.from(request.body) }
    const fault = standardSignatureFault(hmac, secret, message, now()) ?? bodySignatureFault(hmac, secret, message)
    if (fault !== undefined) {
      faults.push(fault)
      response.writeHead(401).end(fault)
      return
    }
    const id = request.headers['webhook-id'] ?? ''
    if ((bodyById.get(id) ?? request.body) !== request.body) faults.push('body_differs')
    bodyById.set(id, request.body)
    countById.set(id, (countById.get(id) ?? 0) + 1)
    response.writeHead(200).end('ok')
  }
  return { behaviour, seen: { countById, faults } }
}
