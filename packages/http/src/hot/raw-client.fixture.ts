import { connect, type Socket } from 'node:net'

/** For tests: one kept connection, which writes pieces and gives the answers as they come. */
export interface RawClient {
  readonly socket: Socket
  /** Latin-1; resolves when it was handed to the kernel. */
  readonly write: (text: string) => Promise<void>
  /** The next whole answer, or `closed`. */
  readonly answer: () => Promise<string>
  /** Everything that comes until the server closes. */
  readonly closed: () => Promise<string>
  readonly end: () => Socket
}

/** Connects to this port of the machine. */
export const openRawClient = (port: number): RawClient => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received = ''
  let closed = false
  let wake = (): void => {}
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    wake()
  })
  const until = async (isEnough: () => boolean): Promise<void> => {
    while (!isEnough() && !closed) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const takeAnswer = (): string | undefined => {
    const headEnd = received.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (headEnd < 0 || received.length < headEnd + 4 + length) return undefined
    const answer = received.slice(0, headEnd + 4 + length)
    received = received.slice(answer.length)
    return answer
  }
  return {
    socket,
    write: (text) => new Promise((resolve) => socket.write(text, 'latin1', () => resolve())),
    answer: async () => {
      let found = takeAnswer()
      await until(() => (found ??= takeAnswer()) !== undefined)
      return found ?? 'closed'
    },
    closed: async () => {
      await until(() => false)
      return received
    },
    end: () => socket.destroy(),
  }
}
