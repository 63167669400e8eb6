// The load, in a process of its own: kept connections that each send the next request as soon as the last was answered.
// Driven by messages from load.mjs. Written on plain sockets because the load must cost less than what it measures.
import { connect } from 'node:net'
import { createAnswerReader } from './answers.mjs'
import { takeOrders } from './helper-process.mjs'
import { quantile } from './statistics.mjs'
import { requestTemplate, writeDigits } from './template.mjs'

/** Payments whose gateway is remembered, for the outcomes that follow. */
const REMEMBERED_COUNT_MAX = 4_000_000
const SAMPLE_COUNT_MAX = 2_000_000
const RUN_OVERTIME_MS = 10_000
const DECIDED = Buffer.from('"decided_gateway":"gate_')
const STATUSES = ['CHARGED', 'FAILURE']
/** Every seventh outcome is a failure. */
const FAILURE_EVERY = 7

/** Last letter of the gateway that was decided for a payment, by payment number; 0 when unknown. */
const decidedLetters = new Uint8Array(REMEMBERED_COUNT_MAX)

const remember = (number, body) => {
  const at = body.indexOf(DECIDED)
  if (at >= 0 && number < REMEMBERED_COUNT_MAX) decidedLetters[number] = body[at + DECIDED.length]
}

/** Gives the number of the next payment: a fresh one each, or round and round through those decided before. */
const numbersOf = ({ from, poolCount }) => {
  let sentCount = 0
  return () => {
    const number = from + (poolCount === null ? sentCount : sentCount % poolCount)
    sentCount += 1
    return number
  }
}

const patch = (bytes, offsets, number) => {
  writeDigits(bytes, offsets.id, number)
  if (offsets.gateway !== undefined) bytes[offsets.gateway.offset] = decidedLetters[number] || 97
  if (offsets.status !== undefined) bytes.write(STATUSES[number % FAILURE_EVERY === 0 ? 1 : 0], offsets.status.offset, 'latin1')
}

const createTally = () => ({ latencies: new Float64Array(SAMPLE_COUNT_MAX), count: 0, sentCount: 0, refusedCount: 0, firstRefusal: null })

const report = (tally, { seconds, cpuMicros }) => {
  const sorted = tally.latencies.subarray(0, Math.min(tally.count, SAMPLE_COUNT_MAX)).sort()
  return {
    answeredCount: tally.count,
    sentCount: tally.sentCount,
    refusedCount: tally.refusedCount,
    firstRefusal: tally.firstRefusal,
    seconds,
    perSecond: tally.count / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    clientCoreShare: cpuMicros / 1e6 / seconds,
  }
}

/** One connection that works until the run is over. */
const work = ({ port, template, nextNumber, waitMs, isOver, shouldRemember, tally }) =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(template.bytes)
    let startedAt = 0
    let number = 0
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })

    const send = () => {
      if (isOver()) return socket.end()
      const ms = waitMs()
      if (ms >= 1) return void setTimeout(send, ms)
      number = nextNumber()
      patch(bytes, template.offsets, number)
      tally.sentCount += 1
      startedAt = performance.now()
      socket.write(bytes)
    }
    const read = createAnswerReader((status, body) => {
      tally.latencies[tally.count % SAMPLE_COUNT_MAX] = performance.now() - startedAt
      tally.count += 1
      if (status !== 200) {
        tally.refusedCount += 1
        tally.firstRefusal ??= `status ${status}: ${body.toString().slice(0, 300)}`
      } else if (shouldRemember) remember(number, body)
      send()
    })
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      try {
        read(chunk)
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)))
      }
    })
    socket.on('error', reject)
    socket.on('close', resolve)
  })

const run = async ({ port, connectionCount, durationMs, requestCount, perSecondMax, shouldRemember, request, numbers }) => {
  const template = requestTemplate({ ...request, host: `127.0.0.1:${port}` })
  const tally = createTally()
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const isOver = () => (requestCount === null ? performance.now() - startedAt >= durationMs : tally.sentCount >= requestCount)
  /** Until the next request may go. */
  const waitMs = () => (perSecondMax === null ? 0 : startedAt + (tally.sentCount * 1000) / perSecondMax - performance.now())
  const connection = { port, template, nextNumber: numbersOf(numbers), waitMs, isOver, shouldRemember, tally }
  const watchdog = setTimeout(() => {
    process.send?.({ error: `the run did not end ${RUN_OVERTIME_MS} ms after its time; the server stopped answering` })
    process.exit(1)
  }, durationMs + RUN_OVERTIME_MS)
  await Promise.all(Array.from({ length: connectionCount }, () => work(connection)))
  clearTimeout(watchdog)
  const cpu = process.cpuUsage(cpuBefore)
  return report(tally, { seconds: (performance.now() - startedAt) / 1000, cpuMicros: cpu.user + cpu.system })
}

takeOrders(run)
