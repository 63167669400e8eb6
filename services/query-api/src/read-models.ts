import { configProjections, costProjections, paymentProjections } from '@switchyard/composition'
import type { EventLog, ReadStore } from '@switchyard/kernel'
import { createReadModelProgress, type ReadModelProgress } from '@switchyard/runtime'

/** The documents of the topics, as projectors elsewhere store them. */
export interface ReadModels {
  readonly payments: ReadModelProgress
  readonly config: ReadModelProgress
  readonly costs: ReadModelProgress
  /** Of all. */
  readonly status: () => Promise<readonly Awaited<ReturnType<ReadModelProgress['status']>>[]>
  readonly caughtUp: () => Promise<void>
  readonly stop: () => void
}

/** {@link ReadModels} in this store. */
export const createReadModels = ({ log, store }: { readonly log: EventLog; readonly store: ReadStore }): ReadModels => {
  const payments = createReadModelProgress({ log, store, topic: 'payments', projections: paymentProjections.map(({ name }) => name) })
  const config = createReadModelProgress({ log, store, topic: 'config', projections: configProjections.map(({ name }) => name) })
  const costs = createReadModelProgress({ log, store, topic: 'costs', projections: costProjections.map(({ name }) => name) })
  const all = [payments, config, costs]
  return {
    payments,
    config,
    costs,
    status: async () => await Promise.all(all.map((models) => models.status())),
    caughtUp: async () => {
      await Promise.all(all.map((models) => models.caughtUp()))
    },
    stop: () => {
      for (const models of all) models.stop()
    },
  }
}
