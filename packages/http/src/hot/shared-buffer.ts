import type { Socket } from 'node:net'

/** Most that is received at once; what Node itself would allocate anew for each piece, bytes. */
const SHARED_BYTES = 64 * 1024
const shared = Buffer.allocUnsafeSlow(SHARED_BYTES)

/** What `onread` of Node's `net.connect` sets, which `net.Server` offers for no connection that it accepts. */
interface Reading {
  readonly handle: object
  readonly useUserBuffer: unknown
  readonly buffer: symbol | undefined
  readonly callback: symbol | undefined
}

const readingOf = (socket: Socket): Reading => {
  const handle = Object(Reflect.get(socket, '_handle'))
  const symbols = Object.getOwnPropertySymbols(socket)
  const symbolOf = (description: string): symbol | undefined => symbols.find((symbol) => symbol.description === description)
  return { handle, useUserBuffer: Reflect.get(handle, 'useUserBuffer'), buffer: symbolOf('kBuffer'), callback: symbolOf('kBufferCb') }
}

/**
 * Lets what a socket receives be put into one buffer that all sockets of the thread share: no memory of its own for every piece,
 * and no stream to pass it on. `onBytes` may look at the bytes only until it returns, and tells whether to go on reading. False, and nothing was done, where this
 * Node has no such way, or the socket is none of the network's: then it gives its pieces as `data`.
 */
export const receiveIntoShared = (socket: Socket, onBytes: (bytes: Buffer) => boolean): boolean => {
  const { handle, useUserBuffer, buffer, callback } = readingOf(socket)
  if (typeof useUserBuffer !== 'function' || buffer === undefined || callback === undefined) return false
  Reflect.set(socket, buffer, shared)
  Reflect.set(socket, callback, (byteCount: number): boolean => onBytes(shared.subarray(0, byteCount)))
  Reflect.apply(useUserBuffer, handle, [shared])
  return true
}
