import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from '@jest/globals'
import { reaching } from './failures.ts'

/** What a write to a connection fails with that the other side has ended. */
const writeBehindTheEnd = async (): Promise<unknown> => {
  const server = createServer((socket) => socket.resume().end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const failed = new Promise((resolve) => socket.once('error', resolve))
  await once(socket.resume(), 'end')
  socket.write('x')
  const error = await failed
  server.close()
  return error
}

test('a call that was written when the server had just ended the connection ended the process: it is made again', async () => {
  const error = await writeBehindTheEnd()
  expect(error).toMatchObject({ code: 'EPIPE' })
  let callCount = 0
  const call = async (): Promise<string> => {
    callCount += 1
    if (callCount === 1) throw error
    return 'stored'
  }
  expect(await reaching('MongoDB cannot be reached', call)).toBe('stored')
  await expect(reaching('MongoDB cannot be reached', () => Promise.reject(error))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    retryable: true,
  })
})

test('what is a fault of the program is not made again', async () => {
  const fault = new TypeError('a fault')
  await expect(reaching('MongoDB cannot be reached', () => Promise.reject(fault))).rejects.toBe(fault)
})
