import { setImmediate as nextTurn } from 'node:timers/promises'
import Broker from 'kafkajs/src/broker/index.js'
import type { ProduceOptions } from 'kafkajs/src/protocol/requests/index.js'

type Produce = (this: Broker, options: ProduceOptions) => Promise<unknown>

/**
 * A request to write that fails tells so when those to the other brokers, under the same producer id, have ended. The driver tries a batch again as
 * soon as its first part has failed, with every part that was not answered by then: under new sequence numbers, as those of the first time are
 * used up, so that the brokers write it twice.
 */
export const failingLast = (produce: Produce): Produce => {
  const underWay = new Map<string, Set<Promise<unknown>>>()

  const kept = async (name: string, request: Promise<unknown>): Promise<unknown> => {
    const requests = underWay.get(name) ?? new Set()
    underWay.set(name, requests.add(request))
    try {
      return await request
    } finally {
      requests.delete(request)
      if (requests.size === 0) underWay.delete(name)
    }
  }

  return async function produceFailingLast(this: Broker, options: ProduceOptions): Promise<unknown> {
    const name = String(options.producerId)
    try {
      return await kept(name, produce.call(this, options))
    } catch (error) {
      // The others of this batch may be about to be sent, and behind them the driver notes what they were answered.
      await nextTurn()
      const others = underWay.get(name)
      if (others !== undefined) await Promise.allSettled(others)
      await nextTurn()
      throw error
    }
  }
}

Broker.prototype.produce = failingLast(Broker.prototype.produce)
