import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAnswerReader } from './answers.mjs'
import { requestTemplate, writeDigits } from './template.mjs'

const CONNECTION_COUNT = 50
/** Requests that wait on each connection when a round begins: more than are answered in it. */
const QUEUED_COUNT = 40
/** How long servers work at a stretch, milliseconds. */
const ROUND_MS = 12
/** Until the threads of a process that was told to stop stand still, milliseconds. */
const STOPPING_MS = 0.3

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
const rest = (ms) => void Atomics.wait(cell, 0, 0, ms)

const openConnection = async ({ port, request }, onAnswer) => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  const connection = { socket, queuedCount: 0, template: requestTemplate({ ...request, host: `127.0.0.1:${port}` }) }
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
 * A load that takes nothing from the servers it measures, on however few cores: while they work it rests, and while it fills up what
 * waits on the connections they are stopped (`SIGSTOP`). What they could do if the load came from another machine, at full load.
 */
const openLoadAside = async ({ servers, from }) => {
  let answeredCount = 0
  let countedCount = 0
  let workedMs = 0
  let refusedStatus
  let number = from
  const onAnswer = (status) => {
    answeredCount += 1
    if (status !== 200) refusedStatus = status
  }
  const connections = await Promise.all(
    Array.from({ length: CONNECTION_COUNT }, (_, index) => openConnection(servers[index % servers.length], onAnswer)),
  )

  const signal = (name) => {
    for (const { pid } of servers) process.kill(pid, name)
  }
  const nextRequest = ({ bytes, offsets }) => {
    writeDigits(bytes, offsets.id, number)
    number += 1
    return Buffer.from(bytes)
  }
  const fillUp = async () => {
    for (const connection of connections) {
      const missing = Array.from({ length: QUEUED_COUNT - connection.queuedCount }, () => nextRequest(connection.template))
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
    stop: () => signal('SIGSTOP'),
    /** Lets the stopped servers work on what waits, and stops them again. */
    round: async () => {
      await count()
      await fillUp()
      const startedMs = performance.now()
      signal('SIGCONT')
      rest(ROUND_MS)
      signal('SIGSTOP')
      workedMs += performance.now() - startedMs
      rest(STOPPING_MS)
    },
    /** Decisions a second while it worked. */
    rate: async () => {
      await count()
      // Told here and not where it was read: a run that breaks off there would leave the servers stopped.
      if (refusedStatus !== undefined) throw new Error(`a decision was answered ${refusedStatus}`)
      return (countedCount / workedMs) * 1_000
    },
    close: () => {
      signal('SIGCONT')
      for (const { socket } of connections) socket.destroy()
    },
  }
}

/**
 * Decisions a second of each side while its servers work together, with the load aside: each side has worked for so long in the end, in rounds by
 * turns. A host that changes its speed changes it for all of them.
 *
 * @param {readonly { readonly servers: readonly { readonly port: number, readonly pid: number, readonly request: any }[], readonly from: number }[]} sides `from`: the number of the first payment
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
