import { once } from 'node:events'
import { createServer, connect as open, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Descriptors, openDescriptors } from './descriptors.ts'
import { createPassOn } from './pass-on.ts'
import type { ReturnedConnection } from './worker-methods.ts'

const LARGE = 'x'.repeat(4 * 1024 * 1024)

describe('connections between threads', () => {
  let server: Server
  let descriptors: Descriptors
  let client: Socket
  let accepted: Socket
  let received = ''

  beforeEach(async () => {
    descriptors = await openDescriptors()
    received = ''
    server = createServer({ allowHalfOpen: true, pauseOnConnect: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    client = open(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
    const [socket] = await once(server, 'connection')
    accepted = socket
  })
  afterEach(async () => {
    client.destroy()
    server.close()
    await once(server, 'close')
  })

  const listenToClient = (): void => void client.on('data', (chunk) => (received += chunk.toString()))
  const arrived = async (text: string): Promise<void> => {
    while (!received.endsWith(text)) await once(client, 'data')
  }
  const released = (socket: Socket): number => {
    const descriptor = descriptors.release(socket)
    if (descriptor === undefined) throw new Error('no descriptor')
    return descriptor
  }

  test('a connection goes on under another descriptor, and its peer notices nothing', async () => {
    listenToClient()
    client.write('before')
    const taken = descriptors.take(released(accepted))
    await once(accepted, 'close')
    expect(accepted.destroyed).toBe(true)
    expect(taken?.remotePort).toBe(client.localPort)
    taken?.on('data', (chunk) => taken.write(`answer to ${chunk.toString()}`))
    await arrived('answer to before')
    expect(client.readyState).toBe('open')
    taken?.end()
    await once(client, 'end')
  })

  test('a socket that is closed has no descriptor to give', async () => {
    accepted.destroy()
    expect(descriptors.release(accepted)).toBeUndefined()
  })

  test('it is given back with what was read of it, when what was answered is on its way', async () => {
    const returned = new Promise<ReturnedConnection>((resolve) => {
      const passOn = createPassOn(descriptors, { postMessage: resolve })
      accepted.write(LARGE)
      expect(accepted.writableLength).toBeGreaterThan(0)
      passOn(accepted, Buffer.from('read '))
    })
    client.write('and unread')
    listenToClient()
    const { descriptor, bytes } = await returned
    const taken = descriptors.take(descriptor)
    if (taken === undefined) throw new Error('the connection is gone')
    taken.unshift(bytes)
    let read = ''
    taken.on('data', (chunk) => (read += chunk.toString()))
    while (read !== 'read and unread') await once(taken, 'data')
    taken.end('!')
    await arrived('!')
    expect(received.length).toBe(LARGE.length + 1)
  })

  test('it is cut when its client reads nothing of what was answered, and not given back: it stayed in the thread for good', async () => {
    const returned: unknown[] = []
    const passOn = createPassOn(descriptors, { postMessage: (message) => void returned.push(message) }, 50)
    client.pause()
    accepted.write(LARGE)
    passOn(accepted, Buffer.from('read'))
    await once(accepted, 'close')
    expect(returned).toEqual([])
  })
})
