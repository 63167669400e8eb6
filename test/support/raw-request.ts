import { connect } from 'node:net'

/** What comes back for these bytes until the server closes, as text. */
export const sendRaw = (url: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(received))
  })

/** The status of an answer as it came over the wire. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
