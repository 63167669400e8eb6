import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { OperatingError } from '@switchyard/kernel'
import { cFunction } from '../c-library.ts'

/** `F_DUPFD_CLOEXEC`: a second descriptor that no other program inherits. */
const DUPLICATE_COMMANDS: Partial<Record<NodeJS.Platform, number>> = { linux: 1030, darwin: 67 }

/** How a connection goes from one thread of the process to another: each thread has, and closes, a descriptor of its own. */
export interface Descriptors {
  /**
   * Takes the connection from this thread: a new descriptor of it, and the socket is destroyed, which sends nothing. What it has
   * read and what it has not written yet would be lost. Undefined, and nothing happens, when there is no descriptor to be had.
   */
  readonly release: (socket: Socket) => number | undefined
  /** The connection in this thread, which owns the descriptor from now on; undefined when it is gone already. */
  readonly take: (descriptor: number) => Socket | undefined
}

/** Of the handle behind the socket: Node says it nowhere else. */
const descriptorOf = (socket: Socket): number => {
  const { fd }: { readonly fd?: unknown } = Object(Reflect.get(socket, '_handle'))
  return typeof fd === 'number' ? fd : -1
}

const take = (descriptor: number): Socket | undefined => {
  try {
    return new Socket({ fd: descriptor, allowHalfOpen: true })
  } catch {
    // Some systems no longer know what kind of descriptor it is when its client is gone.
    closeSync(descriptor)
    return undefined
  }
}

/** {@link Descriptors} of this system; throws `SETTING_INVALID` where threads can't pass connections on. */
export const openDescriptors = async (): Promise<Descriptors> => {
  const command = DUPLICATE_COMMANDS[process.platform]
  if (command === undefined) {
    throw new OperatingError('SETTING_INVALID', 'SWITCHYARD_WORKERS: more than one is possible on Linux and macOS only', {
      retryable: false,
    })
  }
  const fcntl = await cFunction('int fcntl(int descriptor, int command, ...)')
  return {
    take,
    release: (socket) => {
      const duplicate: unknown = fcntl(descriptorOf(socket), command, 'int', 0)
      if (typeof duplicate !== 'number' || duplicate < 0) return undefined
      socket.destroy()
      return duplicate
    },
  }
}
