import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { OutboundOutcome, OutboundRequest } from '@switchyard/kernel'
import { answering } from '../../../test/support/receivers/behaviours.ts'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../../../test/support/receivers/certificate.ts'
import { type Receiver, startReceiver } from '../../../test/support/receivers/receiver.ts'
import { createOutbound, type OutboundSettings } from './outbound.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const started = async (tls?: Parameters<typeof startReceiver>[1]): Promise<Receiver> => {
  const receiver = await startReceiver(answering(200), tls)
  stops.push(receiver.stop)
  return receiver
}

const request = (url: string): OutboundRequest => ({
  endpointId: 'merchant/default',
  url,
  headers: [],
  body: new Uint8Array(),
  timeoutMs: 10_000,
})

const send = (url: string, settings: Partial<OutboundSettings> = {}): Promise<OutboundOutcome> => {
  const outbound = createOutbound({ schemes: 'http_too', allowedRanges: [], ...settings })
  stops.push(outbound.close)
  return outbound.send(request(url))
}

const resolvingTo =
  (...addresses: readonly string[]) =>
  () =>
    Promise.resolve(addresses)

const BLOCKED = { kind: 'refused', rule: 'blocked_address' }

describe('addresses that are blocked', () => {
  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.0.0.1.', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '[::]'])(
    'no socket is opened to %s',
    async (host) => {
      const { port, connectionCount } = await started()
      expect(await send(`http://${host}:${port}/`)).toMatchObject(BLOCKED)
      expect(connectionCount()).toBe(0)
    },
  )

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['10.0.0.1', '192.168.0.1', 'fe80::1'],
    ['169.254.169.254'],
  ])('no socket is opened to a name with only %s', async (...addresses) => {
    const { port, connectionCount } = await started()
    expect(await send(`http://receiver.test:${port}/`, { resolveName: resolvingTo(...addresses) })).toMatchObject(BLOCKED)
    expect(connectionCount()).toBe(0)
  })

  test.each(['localhost', 'shop.localhost', 'LOCALHOST.'])('%s is this machine', async (host) => {
    const { port, connectionCount } = await started()
    expect(await send(`http://${host}:${port}/`)).toMatchObject(BLOCKED)
    expect(connectionCount()).toBe(0)
    expect(await send(`http://${host}:${port}/`, { allowedRanges: ['127.0.0.1'] })).toMatchObject({ status: 200 })
  })

  test('of a name with several addresses only the allowed ones are asked', async () => {
    const { port, requests } = await started()
    const resolveName = resolvingTo('10.255.255.1', '169.254.169.254', '127.0.0.1')
    const outcome = await send(`http://receiver.test:${port}/`, { allowedRanges: ['127.0.0.0/8'], resolveName })
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 })
    expect(requests[0]?.headers['host']).toBe(`receiver.test:${port}`)
  })

  test('metadata services stay blocked whatever a deployment allows', async () => {
    const settings = { allowedRanges: ['0.0.0.0/0', '::/0'] }
    expect(await send('http://169.254.169.254/latest/', settings)).toMatchObject(BLOCKED)
    const resolveName = resolvingTo('169.254.169.254', 'fd00:ec2::254', '::ffff:a9fe:a9fe')
    expect(await send('http://receiver.test/', { ...settings, resolveName })).toMatchObject(BLOCKED)
  })

  test('a URL that was configured under other rules is checked when it is used', async () => {
    const { url, connectionCount } = await started()
    expect(await send(url, { schemes: 'https_only', allowedRanges: ['127.0.0.1'] })).toMatchObject({ rule: 'scheme_not_allowed' })
    expect(connectionCount()).toBe(0)
  })
})

describe('a name that changes its address', () => {
  test('after it was checked: the connection goes where the check looked', async () => {
    const inside = await started()
    let asked = 0
    // First an address that is allowed, then the one of the receiver inside.
    const resolveName = (): Promise<readonly string[]> => Promise.resolve(asked++ === 0 ? ['127.0.0.2'] : ['127.0.0.1'])
    const outcome = await send(`http://receiver.test:${inside.port}/`, { allowedRanges: ['127.0.0.2'], resolveName })
    expect(outcome).toMatchObject({ kind: 'connection_refused' })
    expect(asked).toBe(1)
    expect(inside.connectionCount()).toBe(0)
  })

  test('between two requests: the next connection is checked again', async () => {
    const receiver = await startReceiver(answering(200, 'ok', { connection: 'close' }))
    stops.push(receiver.stop)
    let addresses = ['127.0.0.1']
    const outbound = createOutbound({
      schemes: 'http_too',
      allowedRanges: ['127.0.0.1'],
      resolveName: () => Promise.resolve(addresses),
    })
    stops.push(outbound.close)
    const url = `http://receiver.test:${receiver.port}/`
    expect(await outbound.send(request(url))).toMatchObject({ status: 200 })
    addresses = ['127.0.0.3']
    expect(await outbound.send(request(url))).toMatchObject(BLOCKED)
    expect(receiver.connectionCount()).toBe(1)
  })
})

/** Listens, but takes no connection until it is told to. */
const LATE_RECEIVER = `
const { parentPort, workerData } = require('node:worker_threads')
const server = require('node:http').createServer((_request, response) => response.end())
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  Atomics.wait(workerData, 0, 0)
})`

test('an endpoint that takes its time to be reached is not given up for another address that can not be reached', async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const receiver = new Worker(LATE_RECEIVER, { eval: true, workerData: gate })
  stops.push(() => receiver.terminate())
  const [port] = await once(receiver, 'message')
  // They fill its queue, so that the next one is heard when it asks for the second time, after a second.
  for (let count = 0; count < 2; count++) {
    const waiting = connect(port, '127.0.0.1')
    stops.push(() => waiting.destroy())
    await once(waiting, 'connect')
  }
  const resolveName = (): Promise<readonly string[]> => {
    setTimeout(() => {
      Atomics.store(gate, 0, 1)
      Atomics.notify(gate, 0)
    }, 100)
    return Promise.resolve(['127.0.0.1', '::1'])
  }
  const outcome = await send(`http://receiver.test:${port}/`, { allowedRanges: ['127.0.0.1', '::1'], resolveName })
  expect(outcome).toMatchObject({ kind: 'answered', status: 200 })
})

describe('TLS', () => {
  const tls = { cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }
  const settings = { allowedRanges: ['127.0.0.1'], certificateAuthorities: RECEIVER_CERTIFICATE, resolveName: resolvingTo('127.0.0.1') }

  test('the name of the URL is the name of the certificate', async () => {
    const { port, requests } = await started(tls)
    expect(await send(`https://receiver.test:${port}/`, settings)).toMatchObject({ kind: 'answered', status: 200 })
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['another name', (port: number) => `https://other.test:${port}/`, settings],
    ['an address', (port: number) => `https://127.0.0.1:${port}/`, settings],
    [
      'an authority that is not trusted',
      (port: number) => `https://receiver.test:${port}/`,
      { ...settings, certificateAuthorities: undefined },
    ],
  ])('%s is refused before anything is sent', async (_name, urlOf, changed) => {
    const { port, requests } = await started(tls)
    expect(await send(urlOf(port), changed)).toMatchObject({ kind: 'tls_error' })
    expect(requests).toEqual([])
  })

  test('older than 1.2 is refused', async () => {
    const { port } = await started({ ...tls, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })
    expect(await send(`https://receiver.test:${port}/`, settings)).toMatchObject({ kind: 'tls_error' })
  })

  test('a receiver that does not speak it', async () => {
    const { port } = await started()
    expect(await send(`https://receiver.test:${port}/`, settings)).toMatchObject({ kind: 'tls_error' })
  })
})
