import type { Broker } from 'kafkajs'
import type { Protocol } from 'kafkajs/src/protocol/requests/index.js'
import { decodeFetchAnswer } from './fetch-answer.ts'

/** The version of the protocol whose answers are read here; brokers since 2.3 speak it, and the driver no newer one. */
const OWN_VERSION = 11

/** How a broker of the driver finds the form of a request; its types keep it to themselves. */
type Lookup = (key: number, definition: object) => (options: object) => Protocol

const hasLookup = (broker: object): broker is { readonly lookupRequest: Lookup } =>
  'lookupRequest' in broker && typeof broker.lookupRequest === 'function'

const withOwnAnswers = (protocol: Protocol): Protocol => {
  if (protocol.request.apiVersion !== OWN_VERSION) return protocol
  const { response } = protocol
  const decode = async (answer: Buffer): Promise<unknown> => decodeFetchAnswer(answer) ?? (await response.decode(answer))
  return { ...protocol, response: { ...response, decode } }
}

/**
 * The same broker, whose answers to fetches are read by {@link decodeFetchAnswer}: the driver takes ten times as long, most of what a
 * record costs on its way (ADR 0111). What that does not know is read by the driver.
 */
export const readingOwnAnswers = (broker: Broker): Broker => {
  if (!hasLookup(broker)) throw new Error('the driver has no table of requests: it is not the version that is pinned')
  const lookup: Lookup = (key, definition) => {
    const create = broker.lookupRequest(key, definition)
    return (options) => withOwnAnswers(create(options))
  }
  return Object.create(broker, { lookupRequest: { value: lookup } })
}
