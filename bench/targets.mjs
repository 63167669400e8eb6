/**
 * What the benchmarks should reach: the one place where targets stand. A benchmark that is not among them, or a figure whose target is
 * null, is told and not judged.
 */
export const TARGETS = {
  decisions: { throughputTarget: 0.7, tailTarget: 2 },
  kindsOfDecisions: { throughputTarget: 0.5 },
  outcomesAt50: { throughputTarget: 0.3, tailTarget: null },
  outcomesAt200: { throughputTarget: 0.5, tailTarget: null },
  evaluations: { throughputTarget: 0.6, tailTarget: null },
  /** With two workers against one; milliseconds until every worker shows what happened. */
  workers: { throughputTarget: 1.6, seenTarget: 20 },
  mixed: { tailTarget: 3 },
  uploads: { rateTarget: 100_000 },
  rules: { timeTarget: 50, growthTarget: 8 },
  /** Decisions beside compiling: as they are without it, within what two turns of the same differ by. */
  costs: { lookupTarget: 3, compileTarget: 2_000, throughputTarget: 0.75, tailTarget: 1.25 },
  ingestion: { rateTarget: 150_000, memoryTarget: 128, growthTarget: 1.25 },
  /** Beyond the idle server, and how much more at the end of a file than in its middle, MB. */
  reportUpload: { memoryTarget: 128, growthTarget: 16 },
  replay: { rateTarget: 500_000, growthTarget: 1.1 },
  kafkaReplay: { rateTarget: 200_000, growthTarget: 1.1 },
  start: { readyTarget: 2_000 },
  /** Of a window of so many outcomes: a bit for each and this beside them, bytes. */
  memory: { windowBytes: 256 },
  projector: { lagTarget: 1_000 },
  /** Times that a decision may take longer at the end of a curve: flat where it only looks up, linear where it scores more candidates. */
  growth: { merchants: 2, gateways: 15, dimensions: 2 },
  kafkaLog: { throughputTarget: 0.6 },
  cluster: { throughputTarget: 0.6, effectTarget: 50 },
  webhooks: { tailTarget: 250, ratioTarget: 1.2, backlogTarget: 1_000 },
}
