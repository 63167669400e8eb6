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

const createLatencies = () => {
  const samples = new Float64Array(SAMPLE_COUNT_MAX)
  let count = 0
  return {
    add: (ms) => {
      samples[count % SAMPLE_COUNT_MAX] = ms
      count += 1
    },
    report: (seconds) => {
      const sorted = samples.subarray(0, Math.min(count, SAMPLE_COUNT_MAX)).sort()
      return { answeredCount: count, perSecond: count / seconds, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) }
    },
  }
}

const createTally = ({ followUp }) => ({
  latencies: createLatencies(),
  /** Of the requests that follow others, counted apart. */
  followUps: followUp === null ? null : createLatencies(),
  sentCount: 0,
  refusedCount: 0,
  firstRefusal: null,
})

const report = ({ latencies, followUps, sentCount, refusedCount, firstRefusal }, { seconds, cpuMicros }) => ({
  ...latencies.report(seconds),
  followUp: followUps?.report(seconds) ?? null,
  sentCount,
  refusedCount,
  firstRefusal,
  seconds,
  clientCoreShare: cpuMicros / 1e6 / seconds,
})

/** One connection that works until the run is over. */
const work = ({ port, requestOf, nextNumber, waitMs, isOver, shouldRemember, tally }) =>
  new Promise((resolve, reject) => {
    let startedAt = 0
    let number = 0
    let turn = 0
    let current = requestOf(turn)
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })

    const send = () => {
      // Each connection has one answer at least, however busy the machine is.
      if (turn > 0 && isOver()) return socket.end()
      const ms = waitMs()
      if (ms >= 1) return void setTimeout(send, ms)
      current = requestOf(turn++)
      if (!current.isFollowUp) number = nextNumber()
      patch(current.bytes, current.offsets, number)
      tally.sentCount += 1
      startedAt = performance.now()
      socket.write(current.bytes)
    }
    const read = createAnswerReader((status, body) => {
      const latencies = current.isFollowUp ? tally.followUps : tally.latencies
      latencies.add(performance.now() - startedAt)
      if (status !== 200) {
        tally.refusedCount += 1
        tally.firstRefusal ??= `status ${status}: ${body.toString().slice(0, 300)}`
      } else if (shouldRemember && !current.isFollowUp) remember(number, body)
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

/** What a connection sends at a turn: its request, or every so many times the one that follows it, for the payment before. */
const createRequests = (port, request, followUp) => {
  const bytesOf = (one, isFollowUp) => {
    const { bytes, offsets } = requestTemplate({ ...one, host: `127.0.0.1:${port}` })
    return { bytes: Buffer.from(bytes), offsets, isFollowUp }
  }
  const first = bytesOf(request, false)
  if (followUp === null) return () => first
  const second = bytesOf(followUp.request, true)
  return (turn) => (turn % followUp.every === followUp.every - 1 ? second : first)
}

const run = async ({ port, connectionCount, durationMs, requestCount, perSecondMax, shouldRemember, request, followUp, numbers }) => {
  const tally = createTally({ followUp })
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const isOver = () => (requestCount === null ? performance.now() - startedAt >= durationMs : tally.sentCount >= requestCount)
  /** Until the next request may go. */
  const waitMs = () => (perSecondMax === null ? 0 : startedAt + (tally.sentCount * 1000) / perSecondMax - performance.now())
  const connection = { port, nextNumber: numbersOf(numbers), waitMs, isOver, shouldRemember, tally }
  const watchdog = setTimeout(() => {
    process.send?.({ error: `the run did not end ${RUN_OVERTIME_MS} ms after its time; the server stopped answering` })
    process.exit(1)
  }, durationMs + RUN_OVERTIME_MS)
  await Promise.all(
    Array.from({ length: connectionCount }, () => work({ ...connection, requestOf: createRequests(port, request, followUp) })),
  )
  clearTimeout(watchdog)
  const cpu = process.cpuUsage(cpuBefore)
  return report(tally, { seconds: (performance.now() - startedAt) / 1000, cpuMicros: cpu.user + cpu.system })
}

takeOrders(run)
