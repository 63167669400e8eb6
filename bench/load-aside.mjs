import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAnswerReader } from './answers.mjs'
import { requestTemplate, writeDigits } from './template.mjs'

const CONNECTION_COUNT = 50
/** Requests that wait on each connection when a round begins: more than are answered in it. */
const QUEUED_COUNT = 40
/** How long the server works at a stretch, milliseconds. */
const ROUND_MS = 12
/** Until the threads of a process that was told to stop stand still, milliseconds. */
const STOPPING_MS = 0.3

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
const rest = (ms) => void Atomics.wait(cell, 0, 0, ms)

const openConnection = async (port, onAnswer) => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  const connection = { socket, queuedCount: 0 }
  const read = createAnswerReader((status) => {
    connection.queuedCount -= 1
    onAnswer(status)
  })
  socket.on('data', read)
  return connection
}

/** Until nothing that has arrived is left to be counted. */
const untilCounted = async (count) => {
  for (let before = -1; before !== count(); ) {
    before = count()
    await nextTurn()
    await nextTurn()
  }
}

/**
 * A load that takes nothing from the server it measures, on however few cores: while the server works it rests, and while it fills up what
 * waits on the connections the server is stopped (`SIGSTOP`). What a server could do if the load came from another machine, at full load.
 */
const openLoadAside = async ({ port, pid, request, from }) => {
  const { bytes, offsets } = requestTemplate({ ...request, host: `127.0.0.1:${port}` })
  let answeredCount = 0
  let countedCount = 0
  let workedMs = 0
  let refusedStatus
  let number = from
  const connections = await Promise.all(
    Array.from({ length: CONNECTION_COUNT }, () =>
      openConnection(port, (status) => {
        answeredCount += 1
        if (status !== 200) refusedStatus = status
      }),
    ),
  )

  const nextRequest = () => {
    writeDigits(bytes, offsets.id, number)
    number += 1
    return Buffer.from(bytes)
  }
  const fillUp = async () => {
    for (const connection of connections) {
      const missing = Array.from({ length: QUEUED_COUNT - connection.queuedCount }, nextRequest)
      connection.queuedCount = QUEUED_COUNT
      connection.socket.write(Buffer.concat(missing))
    }
    await nextTurn()
  }
  const count = async () => {
    await untilCounted(() => answeredCount)
    countedCount += answeredCount
    answeredCount = 0
  }

  return {
    workedMs: () => workedMs,
    stop: () => void process.kill(pid, 'SIGSTOP'),
    /** Lets the stopped server work on what waits, and stops it again. */
    round: async () => {
      await count()
      await fillUp()
      const startedMs = performance.now()
      process.kill(pid, 'SIGCONT')
      rest(ROUND_MS)
      process.kill(pid, 'SIGSTOP')
      workedMs += performance.now() - startedMs
      rest(STOPPING_MS)
    },
    /** Decisions a second while it worked. */
    rate: async () => {
      await count()
      // Told here and not where it was read: a run that breaks off there would leave the server stopped.
      if (refusedStatus !== undefined) throw new Error(`a decision was answered ${refusedStatus}`)
      return (countedCount / workedMs) * 1_000
    },
    close: () => {
      process.kill(pid, 'SIGCONT')
      for (const { socket } of connections) socket.destroy()
    },
  }
}

/**
 * Decisions a second of servers while they work, with the load aside: each has worked for so long in the end, in rounds by turns. A host that
 * changes its speed changes it for all of them.
 *
 * @param {readonly { readonly port: number, readonly pid: number, readonly request: any, readonly from: number }[]} sides `from`: the number of the first payment
 * @param {number} durationMs
 */
export const ratesAside = async (sides, durationMs) => {
  const loads = await Promise.all(sides.map(openLoadAside))
  try {
    for (const load of loads) load.stop()
    rest(STOPPING_MS)
    while (loads.some(({ workedMs }) => workedMs() < durationMs)) for (const load of loads) await load.round()
    return await Promise.all(loads.map(({ rate }) => rate()))
  } finally {
    for (const load of loads) load.close()
  }
}
