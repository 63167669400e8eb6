import './failing-last.ts'
import './produce-encoding.ts'
import './request-queue-guard.ts'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type ISocketFactory, Kafka, logLevel, type RetryOptions, type SASLOptions } from 'kafkajs'
import { AUTHENTICATION_MAX_MS, CONNECT_MAX_MS, REQUEST_MAX_MS } from './limits.ts'
import type { ConnectionUse, KafkaLogOptions, KafkaSasl } from './options.ts'

const KEEP_ALIVE_MS = 60_000

/** A client of the driver that can be ended for good. */
export interface KafkaClient {
  readonly kafka: Kafka
  /**
   * Breaks every connection and allows no new one: whatever the driver still tries in the background ends. A batch that
   * was given up can so never reach the broker behind a later one.
   */
  readonly cut: () => void
  /**
   * Breaks the connections of now; the driver opens others. For a request that nobody answered: the driver would go on asking
   * over a connection that may be dead for as long as the system believes in it.
   */
  readonly reconnect: () => void
}

const saslOf = ({ mechanism, username, password }: KafkaSasl): SASLOptions => ({ mechanism, username, password })

/** {@link KafkaClient} for one use; `retry` is how stubbornly the driver itself connects. */
export const createClient = (options: KafkaLogOptions, use: ConnectionUse, retry: RetryOptions): KafkaClient => {
  const { brokers, clientId, tls, sasl, reach = (broker) => broker } = options
  const sockets = new Set<Socket>()
  let isCut = false

  const socketFactory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (isCut) throw new Error('the client has ended')
    const address = reach({ host, port }, use)
    const socket =
      tls === undefined
        ? connectPlain({ ...address, noDelay: true }, onConnect)
        : connectTls({ ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl, ...address }, onConnect).setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    return socket.setKeepAlive(true, KEEP_ALIVE_MS)
  }

  const kafka = new Kafka({
    // An empty list is what the driver does not try again.
    brokers: () => (isCut ? [] : [...brokers]),
    clientId,
    ...(tls === undefined ? {} : { ssl: tls }),
    ...(sasl === undefined ? {} : { sasl: saslOf(sasl) }),
    connectionTimeout: CONNECT_MAX_MS,
    authenticationTimeout: AUTHENTICATION_MAX_MS,
    requestTimeout: REQUEST_MAX_MS,
    enforceRequestTimeout: true,
    retry,
    socketFactory,
    logLevel: logLevel.NOTHING,
    logCreator: () => () => {},
  })

  const breakAll = (why: string): void => {
    for (const socket of sockets) socket.destroy(new Error(why))
  }

  return {
    kafka,
    cut: () => {
      isCut = true
      breakAll('the client has ended')
    },
    reconnect: () => breakAll('a request was not answered'),
  }
}
