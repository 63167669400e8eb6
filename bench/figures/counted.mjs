// The figures as anybody would count them who reads the raw topic and keeps everything in memory.
const HOUR_MS = 3_600_000
const BPS = 10_000
const MONEY_PLACES = 1_000_000

/** Money to a millionth: what is left of the order in which it was added up. */
export const rounded = (value) => Math.round(value * MONEY_PLACES) / MONEY_PLACES

const count = (map, key, by = 1) => map.set(key, (map.get(key) ?? 0) + by)
const APPROVED = ['CHARGED', 'AUTHORIZED']
const OPEN = ['PENDING_VBV']

/** Payments of experiments: each counts once, by its first arm, and is resolved by its first final report. */
const createExperimentCounts = () => {
  const payments = new Map()
  const counts = new Map()
  const money = new Map()

  const costOf = ({ gateway, candidates, pricing, costChoice }) => {
    const index = candidates.indexOf(gateway)
    if (costChoice === null) return { costBps: pricing?.costsBps[index] ?? null, savedBps: null }
    const { costBps = null } = costChoice.ranked.find((row) => row.gateway === gateway) ?? {}
    return { costBps, savedBps: costChoice.outcome === 'COST_WON' ? costChoice.costSavedBps : 0 }
  }

  const approve = ({ arm, currency, amount }, { costBps, savedBps }) => {
    count(counts, `${arm} approved`)
    count(money, `${arm} ${currency} amount`, amount)
    count(money, `${arm} ${currency} cost`, ((costBps ?? 0) / BPS) * amount)
    count(money, `${arm} ${currency} saving`, ((savedBps ?? 0) / BPS) * amount)
  }

  const resolve = ({ arm }, isApproved, { costBps, savedBps }) => {
    count(counts, `${arm} resolved`)
    if (isApproved) count(counts, `${arm} approved at first`)
    if (costBps !== null) count(counts, `${arm} priced`)
    if (savedBps !== null) count(counts, `${arm} weighed`)
  }

  return {
    decide: (data) => {
      const { experiment, paymentId, gateway, currency, amount } = data
      if (experiment === null || experiment.exclusion !== null) return
      const arm = `${experiment.experimentId} ${experiment.arm.toLowerCase()}`
      payments.set(paymentId, { arm, gateway, currency, amount, ...costOf(data), standing: 'open' })
      count(counts, `${arm} assigned`)
    },
    report: ({ paymentId, gateway, status }) => {
      const payment = payments.get(paymentId)
      if (payment === undefined || OPEN.includes(status) || payment.standing === 'approved') return
      const isApproved = APPROVED.includes(status)
      const cost = gateway === payment.gateway ? payment : { costBps: null, savedBps: null }
      if (payment.standing === 'open') resolve(payment, isApproved, cost)
      payment.standing = isApproved ? 'approved' : 'failed'
      if (isApproved) approve(payment, cost)
    },
    counts: () => {
      const all = new Map([...counts, ...[...money].map(([name, value]) => [name, rounded(value)])])
      return new Map([...all].filter(([, value]) => value !== 0))
    },
  }
}

/** Decisions that weighed cost, by currency: how many, how many cost won, what they saved. */
const countSaving = (savings, { costChoice, currency, amount }) => {
  if (costChoice === null) return
  const [total, won, saved] = savings.get(currency) ?? [0, 0, 0]
  const isWon = costChoice.outcome === 'COST_WON'
  savings.set(currency, [total + 1, won + (isWon ? 1 : 0), saved + (isWon ? (costChoice.costSavedBps / BPS) * amount : 0)])
}

const ROUTES = { DecisionRefused: 'decide_gateway', OutcomeRefused: 'update_gateway_score', RuleEvaluationRefused: 'routing_evaluate' }
const COUNTED = {
  GatewayDecided: 'decisions',
  DecisionRefused: 'refused',
  OutcomeRecorded: 'outcomes',
  OutcomeRefused: 'outcomesRefused',
  RuleEvaluated: 'evaluations',
  RuleEvaluationRefused: 'evaluationsRefused',
}

/** Every figure, from the first event to the last. */
export const countedFigures = async (log, codec) => {
  const totals = { decisions: 0, refused: 0, outcomes: 0, outcomesRefused: 0, evaluations: 0, evaluationsRefused: 0 }
  const [rules, approaches, hours, shares, errors] = [new Map(), new Map(), new Map(), new Map(), new Map()]
  const [eurosByHour, errorsOfEuros, savings] = [new Map(), new Map(), new Map()]
  const euros = [0, 0]
  const experiments = createExperimentCounts()

  const decide = (data) => {
    const hour = Math.floor(data.at / HOUR_MS) * HOUR_MS
    count(approaches, data.approach)
    count(hours, `${hour} ${data.approach}`)
    count(shares, `${hour} ${data.gateway}`)
    if (data.priorityLogicTag !== null) count(rules, data.priorityLogicTag)
    if (data.currency === 'EUR') {
      euros[0] += 1
      count(eurosByHour, `${hour} ${data.approach}`)
    }
    experiments.decide(data)
    countSaving(savings, data)
  }
  const refuse = (type, data) => {
    const name = `${ROUTES[type]} ${data.errorCode}`
    count(errors, name)
    if (type !== 'DecisionRefused' || data.payment?.currency !== 'EUR') return
    euros[1] += 1
    count(errorsOfEuros, name)
  }

  for await (const records of log.read('payments', new Map())) {
    for (const { value } of records) {
      const { type, data } = codec.decode(value)
      totals[COUNTED[type]] += 1
      if (type === 'GatewayDecided') decide(data)
      else if (type === 'OutcomeRecorded') experiments.report(data)
      else if (ROUTES[type] !== undefined) refuse(type, data)
    }
  }
  const saved = new Map([...savings].map(([currency, [total, won, value]]) => [currency, [total, won, rounded(value)]]))
  const series = { rules, approaches, hours, shares, errors, euros, eurosByHour, errorsOfEuros }
  return { ...totals, ...series, experiments: experiments.counts(), savings: saved }
}
