import { metric, RATE, TIME } from './metric.mjs'

/** What a benchmark's figures say, one line each: ratios to the reference of the same run, then figures of this machine. */

const CPU_TIME = { unit: 'us', better: 'lower', isRatio: false }

/** What the machine gives, not the system: nothing to hold against what is stored. */
const RATIO_OF_MACHINE = { unit: '', better: 'higher', isRatio: false }

/** Processor time of the server for an answer, with projecting; where it can be read. */
const cpuLines = (benchmark, { cpuUs }) =>
  Number.isNaN(cpuUs.median) ? [] : [metric(benchmark, 'processor time an answer, with projections', CPU_TIME, cpuUs)]

/** Lines of a benchmark over HTTP. */
export const httpMetrics = (benchmark, { throughputTarget, tailTarget }, figures) => [
  metric(
    benchmark,
    'throughput against bare',
    { unit: '', better: 'higher', isRatio: true, target: throughputTarget },
    figures.throughputRatio,
  ),
  metric(benchmark, 'p99 against bare', { unit: '', better: 'lower', isRatio: true, target: tailTarget }, figures.tailRatio),
  metric(benchmark, 'throughput', RATE, figures.system.perSecond),
  metric(benchmark, 'p50', TIME, figures.system.p50Ms),
  metric(benchmark, 'p99', TIME, figures.system.p99Ms),
  metric(benchmark, 'bare throughput', RATE, figures.reference.perSecond),
  metric(benchmark, 'bare p50', TIME, figures.reference.p50Ms),
  metric(benchmark, 'bare p99', TIME, figures.reference.p99Ms),
  metric(benchmark, 'projections caught up after', TIME, figures.settledMs),
  ...cpuLines(benchmark, figures),
]

/** Lines of decisions of one kind beside plain ones. */
export const kindMetrics = (benchmark, { throughputTarget }, figures) => [
  metric(
    benchmark,
    'throughput against plain decisions',
    { unit: '', better: 'higher', isRatio: true, target: throughputTarget },
    figures.throughputRatio,
  ),
  metric(benchmark, 'p99 against plain decisions', { unit: '', better: 'lower', isRatio: true }, figures.tailRatio),
  metric(benchmark, 'throughput', RATE, figures.system.perSecond),
  metric(benchmark, 'p99', TIME, figures.system.p99Ms),
  metric(benchmark, 'plain throughput', RATE, figures.reference.perSecond),
  metric(benchmark, 'plain p99', TIME, figures.reference.p99Ms),
  ...cpuLines(benchmark, figures),
]

/** Lines of several decision workers beside one. */
export const workerMetrics = (benchmark, { throughputTarget, seenTarget }, { throughput, seeing }) => {
  const once = (value) => ({ median: value, min: value, max: value })
  const seen = { ...TIME, target: seenTarget }
  return [
    metric(
      benchmark,
      'throughput against one worker, the load aside',
      { unit: '', better: 'higher', isRatio: true, target: throughputTarget },
      throughput.aside.ratio,
    ),
    metric(benchmark, 'as many servers against one worker, the load aside', RATIO_OF_MACHINE, throughput.aside.apartRatio),
    metric(
      benchmark,
      'throughput against as many servers, the load aside',
      { unit: '', better: 'higher', isRatio: true },
      throughput.aside.againstApart,
    ),
    metric(benchmark, 'throughput, the load aside', RATE, throughput.aside.many),
    metric(benchmark, 'one worker, throughput, the load aside', RATE, throughput.aside.one),
    metric(
      benchmark,
      'throughput against one worker, the load on the same cores',
      { unit: '', better: 'higher', isRatio: true },
      throughput.throughputRatio,
    ),
    metric(
      benchmark,
      'p99 against one worker, the load on the same cores',
      { unit: '', better: 'lower', isRatio: true },
      throughput.tailRatio,
    ),
    metric(benchmark, 'throughput, the load on the same cores', RATE, throughput.system.perSecond),
    metric(benchmark, 'p99, the load on the same cores', TIME, throughput.system.p99Ms),
    metric(benchmark, 'one worker, throughput, the load on the same cores', RATE, throughput.reference.perSecond),
    metric(benchmark, 'one worker, p99, the load on the same cores', TIME, throughput.reference.p99Ms),
    metric(benchmark, 'cores taken by the load', { unit: '', better: 'lower', isRatio: false }, throughput.system.clientCoreShare),
    metric(benchmark, 'an outcome is seen by all, p50', TIME, once(seeing.outcome.p50Ms)),
    metric(benchmark, 'an outcome is seen by all, p99', seen, once(seeing.outcome.p99Ms)),
    metric(benchmark, 'a change is seen by all, p50', TIME, once(seeing.configuration.p50Ms)),
    metric(benchmark, 'a change is seen by all, p99', seen, once(seeing.configuration.p99Ms)),
  ]
}

/** Lines of uploads: one upload is one measurement. */
export const uploadMetrics = (benchmark, { rateTarget }, figures) => [
  metric(benchmark, 'throughput against bare', { unit: '', better: 'higher', isRatio: true }, figures.throughputRatio),
  metric(benchmark, 'throughput', { ...RATE, target: rateTarget }, figures.system.perSecond),
  metric(benchmark, 'an upload takes', TIME, figures.system.p50Ms),
  metric(benchmark, 'bare throughput', RATE, figures.reference.perSecond),
  metric(benchmark, 'projections caught up after', TIME, figures.settledMs),
]

/** Lines of the replay. */
export const replayMetrics = (benchmark, { rateTarget, growthTarget }, figures) => [
  metric(benchmark, 'throughput against JSON', { unit: '', better: 'higher', isRatio: true }, figures.throughputRatio),
  metric(benchmark, 'throughput', { ...RATE, target: rateTarget }, figures.perSecond),
  metric(benchmark, 'JSON throughput', RATE, figures.referencePerSecond),
  metric(
    benchmark,
    'live memory, end against half',
    { unit: '', better: 'lower', isRatio: false, target: growthTarget },
    figures.liveGrowth,
  ),
  metric(benchmark, 'highest private memory', { unit: 'MB', better: 'lower', isRatio: false }, figures.privateMaxMb),
  metric(benchmark, 'highest resident memory, with the mapped log', { unit: 'MB', better: 'lower', isRatio: false }, figures.rssMaxMb),
]

/** Lines of the evaluation of rules, for each shape of program. */
export const ruleMetrics = (benchmark, { timeTarget, growthTarget }, figures) =>
  Object.entries(figures).flatMap(([shape, { manyUs, fewUs, growth }]) => [
    metric(benchmark, `${shape}: 500 rules against 5`, { unit: '', better: 'lower', isRatio: true, target: growthTarget }, growth),
    metric(benchmark, `${shape}: the last of 500 rules`, { unit: 'us', better: 'lower', isRatio: false, target: timeTarget }, manyUs),
    metric(benchmark, `${shape}: the last of 5 rules`, { unit: 'us', better: 'lower', isRatio: false }, fewUs),
  ])

/** Lines of costs: lookups, compiling in a thread, and decisions that weigh beside those that do not. */
export const costMetrics = (benchmark, { lookupTarget, compileTarget, throughputTarget, tailTarget }, figures) => [
  metric(
    benchmark,
    'weighing against not, throughput',
    { unit: '', better: 'higher', isRatio: true, target: throughputTarget },
    figures.weighing.throughputRatio,
  ),
  metric(benchmark, 'weighing against not, p99', { unit: '', better: 'lower', isRatio: true }, figures.weighing.tailRatio),
  metric(benchmark, 'decisions that weigh', RATE, figures.weighing.system.perSecond),
  metric(benchmark, 'decisions that do not', RATE, figures.weighing.reference.perSecond),
  metric(
    benchmark,
    'a lookup, 20,000 clusters, 10 gateways',
    { unit: 'us', better: 'lower', isRatio: false, target: lookupTarget },
    figures.lookupUs,
  ),
  metric(benchmark, 'compiling 100,000 clusters, processor time', TIME, figures.compileMs),
  metric(
    benchmark,
    'from the events of a fit of 100,000 clusters to the next decision',
    { ...TIME, target: compileTarget },
    figures.swapMs,
  ),
  metric(benchmark, 'processor time of that', TIME, figures.swapCpuMs),
  metric(benchmark, 'longest stall of the answering thread meanwhile', TIME, figures.stallMs),
  metric(benchmark, 'decisions while 100,000 clusters are compiled, p99', TIME, figures.compiling.system.p99Ms),
  metric(benchmark, 'decisions while invoices have nothing to compile, p99', TIME, figures.compiling.reference.p99Ms),
  metric(
    benchmark,
    'compiling against not, p99',
    { unit: '', better: 'lower', isRatio: true, target: tailTarget },
    figures.compiling.tailRatio,
  ),
]

/** Lines of settlement reports that are read into sums. */
export const ingestionMetrics = (benchmark, { rateTarget, memoryTarget, growthTarget }, figures) => [
  metric(benchmark, 'rows against splitting the text', { unit: '', better: 'higher', isRatio: true }, figures.throughputRatio),
  metric(benchmark, 'rows in a second of one core', { ...RATE, target: rateTarget }, figures.perCoreSecond),
  metric(benchmark, 'rows in a second of the clock', RATE, figures.perSecond),
  metric(benchmark, 'splitting the text alone, in a second of one core', RATE, figures.referencePerCoreSecond),
  metric(
    benchmark,
    'memory beyond the idle process',
    { unit: 'MB', better: 'lower', isRatio: false, target: memoryTarget },
    figures.memoryMb,
  ),
  metric(benchmark, 'memory, end against half', { unit: '', better: 'lower', isRatio: false, target: growthTarget }, figures.growth),
]

/** Lines of the log on Kafka. */
export const kafkaLogMetrics = (benchmark, { throughputTarget }, figures) => [
  metric(
    benchmark,
    'batches against the bare driver',
    { unit: '', better: 'higher', isRatio: true, target: throughputTarget },
    figures.batchesRatio,
  ),
  metric(
    benchmark,
    'single appends against the bare driver',
    { unit: '', better: 'higher', isRatio: true, target: throughputTarget },
    figures.singlesRatio,
  ),
  metric(benchmark, 'batches', RATE, figures.batchesPerSecond),
  metric(benchmark, 'single appends', RATE, figures.singlesPerSecond),
  metric(benchmark, 'bare driver', RATE, figures.referencePerSecond),
]

/** Lines of the writes into a store. */
export const storeMetrics = (benchmark, figures) => [
  metric(benchmark, 'throughput against unguarded', { unit: '', better: 'higher', isRatio: true }, figures.throughputRatio),
  metric(benchmark, 'throughput', RATE, figures.perSecond),
  metric(benchmark, 'unguarded throughput', RATE, figures.referencePerSecond),
]

/** Lines of the dispatch of webhooks. */
export const webhookMetrics = (benchmark, { tailTarget, ratioTarget, backlogTarget }, figures) => [
  metric(
    benchmark,
    'p99 with sick receivers against without',
    { unit: '', better: 'lower', isRatio: true, target: ratioTarget },
    figures.tailRatio,
  ),
  metric(benchmark, 'accepted to sent, p99, 10 dead and 10 slow', { ...TIME, target: tailTarget }, figures.sickP99Ms),
  metric(benchmark, 'accepted to sent, p99, all well', TIME, figures.wellP99Ms),
  metric(benchmark, 'accepted to sent, longest, 100,000 overdue', { ...TIME, target: backlogTarget }, figures.backlogMaxMs),
  metric(benchmark, 'accepted to sent, p99, 100,000 overdue', TIME, figures.backlogP99Ms),
  metric(benchmark, 'processor time a delivery', { unit: 'ms', better: 'lower', isRatio: false }, figures.cpuMs),
]

/** Lines of reports through separate services and Kafka. */
export const clusterMetrics = (benchmark, { throughputTarget, effectTarget }, figures) => [
  metric(
    benchmark,
    'reports into windows against the bare driver',
    { unit: '', better: 'higher', isRatio: true, target: throughputTarget },
    figures.ratio,
  ),
  metric(benchmark, 'projected against the bare driver', { unit: '', better: 'higher', isRatio: true }, figures.projectedRatio),
  metric(benchmark, 'reports into windows', RATE, figures.perSecond),
  metric(benchmark, 'bare driver', RATE, figures.referencePerSecond),
  metric(benchmark, 'processor time of decide for a report', { unit: 'us', better: 'lower', isRatio: false }, figures.processorUs),
  metric(benchmark, 'from a report to its effect at half of it, p50', TIME, figures.effectP50Ms),
  metric(benchmark, 'from a report to its effect at half of it, p99', { ...TIME, target: effectTarget }, figures.effectP99Ms),
  metric(benchmark, 'projected', RATE, figures.projectedPerSecond),
]

/** Lines of the memory of a server that takes a settlement report in. */
export const reportUploadMetrics = (benchmark, { memoryTarget, growthTarget }, figures) => {
  const memory = { unit: 'MB', better: 'lower', isRatio: false }
  return [
    metric(benchmark, 'beyond idle while it is uploaded', { ...memory, target: memoryTarget }, figures.uploadMb),
    metric(benchmark, 'beyond idle while it is read', { ...memory, target: memoryTarget }, figures.readingMb),
    metric(benchmark, 'beyond idle while costs are learned', { ...memory, target: memoryTarget }, figures.learningMb),
    metric(benchmark, 'second half of the reading beyond the first', { ...memory, target: growthTarget }, figures.growthMb),
    metric(benchmark, 'uploaded in a second', { unit: 'MB', better: 'higher', isRatio: false }, figures.uploadMbPerSecond),
    metric(benchmark, 'times that it was seen further on', { unit: '', better: 'higher', isRatio: false }, figures.progressCount),
  ]
}
