import { activateRules, evaluationTemplate } from './decision-kinds.mjs'
import { openBench } from './http-bench.mjs'
import { untilIdle } from './machine.mjs'
import { alternate } from './measure.mjs'
import { decisionTemplate, outcomeTemplate } from './workload.mjs'

const POOL_PAYMENT_COUNT_MAX = 200_000
/** Rules of the program that is evaluated. */
const EVALUATED_RULE_COUNT = 20
/** Rounds of a turn in which server and reference are compared. */
const ROUND_COUNT = 4

const referenceSide = ({ reference, load, template }, { connectionCount, durationMs }) => ({
  pid: reference.pid,
  run: () => load.runFor(durationMs, { port: reference.port, connectionCount, request: template, numbers: { from: 0, poolCount: null } }),
})

const freshSide = ({ server, load, runFresh }, request, { connectionCount, durationMs }) => ({
  pid: server.pid,
  run: () => runFresh((run) => load.runFor(durationMs, run), { connectionCount, request }),
})

const besideReference = async (bench, { connectionCount, durationMs, warmingCount, repeatCount }) => {
  const round = { connectionCount, durationMs: durationMs / ROUND_COUNT }
  try {
    return await alternate({
      repeatCount,
      warmingCount,
      roundCount: ROUND_COUNT,
      system: freshSide(bench, bench.template, round),
      reference: referenceSide(bench, round),
    })
  } finally {
    await bench.stop()
  }
}

/** Decisions per second against the whole server, every payment a new one, beside the bare server. */
export const measureDecisions = async (sizes) => await besideReference(await openBench({ ...sizes, templateOf: decisionTemplate }), sizes)

/** Evaluations per second of a small active program, every payment a new one, beside the bare server. */
export const measureEvaluations = async (sizes) => {
  const setUp = (url, merchant) => activateRules(url, merchant, EVALUATED_RULE_COUNT)
  return await besideReference(await openBench({ ...sizes, templateOf: evaluationTemplate, setUp }), sizes)
}

/**
 * Decisions of one kind beside plain ones by success rates, of the same merchant and against the same server.
 *
 * @param {{ readonly setUp: (url: string, merchant: any) => Promise<void>, readonly templateOf: (merchant: any) => any }} kind
 */
export const measureKind = async ({ setUp, templateOf }, sizes) => {
  const bench = await openBench({ ...sizes, templateOf: decisionTemplate, setUp })
  try {
    return await alternate({
      repeatCount: sizes.repeatCount,
      warmingCount: sizes.warmingCount,
      system: freshSide(bench, templateOf(bench.merchant), sizes),
      reference: freshSide(bench, bench.template, sizes),
    })
  } finally {
    await bench.stop()
  }
}

/** Outcomes per second, each answered only when it is durable, for payments decided just before. */
export const measureOutcomes = async (sizes) => {
  const { connectionCount, durationMs, warmingCount, repeatCount, poolPaymentCountMin } = sizes
  const bench = await openBench({ ...sizes, templateOf: outcomeTemplate })
  const uses = []
  let poolCount = poolPaymentCountMin

  const run = async () => {
    const decisions = { connectionCount, request: decisionTemplate(bench.merchant), shouldRemember: true }
    const { from, sentCount } = await bench.runFresh((decided) => bench.load.runCount(poolCount, decided), decisions)
    await untilIdle(bench.server.pid)
    const numbers = { from, poolCount: sentCount }
    const result = await bench.load.runFor(durationMs, { port: bench.port, connectionCount, request: bench.template, numbers })
    uses.push(result.sentCount / sentCount)
    poolCount = Math.min(POOL_PAYMENT_COUNT_MAX, Math.max(poolPaymentCountMin, result.sentCount))
    return result
  }
  try {
    const figures = await alternate({
      repeatCount,
      warmingCount,
      system: { pid: bench.server.pid, run },
      reference: referenceSide(bench, sizes),
    })
    return { ...figures, usesPerPaymentMax: Math.max(...uses.slice(warmingCount)) }
  } finally {
    await bench.stop()
  }
}
