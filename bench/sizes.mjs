/** How much the benchmarks do. */

/** Of a measurement. Command line options change some of it. */
export const FULL_SIZES = {
  /** Length of one run over HTTP, milliseconds. */
  durationMs: 4_000,
  /** Runs of each side over HTTP that warm up. */
  warmingCount: 4,
  /** Measured runs of each side behind them. */
  repeatCount: 5,
  /** The same where a run takes long. */
  longRepeatCount: 3,
  /** Payments decided before anything is measured, with an outcome each, so that windows are not empty. */
  primedPaymentCount: 5_000,
  /** Decided payments that stand ready for one run of outcomes; a longer run goes round and uses each a few times. */
  poolPaymentCountMin: 20_000,
  /** Outcomes, and changes of the configuration, that are followed until every decision worker shows them. */
  changeCount: 200,
  uploadOutcomeCount: 100_000,
  /** Clusters of a model of costs that is compiled and handed over. */
  clusterCount: 100_000,
  /** Rows of the settlement report that is read. */
  rowCount: 2_000_000,
  /** Events of the replay. */
  eventCount: 1_000_000,
  /** Events that stand in the log behind the snapshot that a start reads. */
  startEventCount: 10_000_000,
  projectedEventCount: 200_000,
  /** The same into MongoDB. */
  mongoEventCount: 20_000,
  /** How long a projector follows live load, milliseconds. */
  liveMs: 10_000,
  /** Length of the mixed load, milliseconds. */
  mixedMs: 60_000,
  /** Turns of it: the load with nothing else and with everything else, and then what is told beside it. */
  mixedTurnCount: 4,
  windowCount: 40_000,
  growth: {
    merchants: [1, 10, 100, 1_000, 10_000, 100_000],
    gateways: [1, 3, 10, 30, 100],
    dimensions: [10, 100, 1_000, 10_000],
  },
  /** Batches of decisions that are timed at a point of a curve. */
  growthBatchCount: 100,
  /** Decisions before them, as many at every point: for each merchant there was one, and as much is remembered with one as with all of them. */
  growthWarmingCount: 100_000,
  kafkaRecordCount: 100_000,
  /** Long enough for receivers that never answer to tell: four times their timeout. */
  webhookMs: 60_000,
  webhooks: { receiverCount: 200, sickCount: 10, perSecond: 1_000, overdueCount: 100_000 },
}

/** Enough to see that every benchmark runs; the figures say nothing. */
export const SMOKE_SIZES = {
  // A third of it is the shortest run: on a busy machine one of 50 ms ended before its first answer.
  durationMs: 450,
  warmingCount: 0,
  repeatCount: 1,
  longRepeatCount: 1,
  primedPaymentCount: 200,
  poolPaymentCountMin: 200,
  changeCount: 10,
  uploadOutcomeCount: 600,
  clusterCount: 500,
  rowCount: 2_000,
  eventCount: 2_000,
  startEventCount: 2_000,
  projectedEventCount: 2_000,
  mongoEventCount: 200,
  liveMs: 500,
  mixedMs: 500,
  mixedTurnCount: 1,
  windowCount: 400,
  growth: { merchants: [1, 20], gateways: [5], dimensions: [20] },
  growthBatchCount: 4,
  growthWarmingCount: 200,
  kafkaRecordCount: 2_000,
  webhookMs: 500,
  webhooks: { receiverCount: 10, sickCount: 2, perSecond: 50, overdueCount: 50 },
}
