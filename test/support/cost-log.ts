import { join } from 'node:path'
import { createEmbeddedLog } from '@switchyard/log-embedded'

const NAMESPACE = 'switchyard.costs.'
const LOOK_MS = 1
const LOOK_MAX_MS = 60_000

/** What a server records about costs, seen from outside while it runs or after it was killed. */
export interface CostLog {
  /** Types of the events of a merchant so far, in their order. */
  readonly typesOf: (merchantId: string) => Promise<readonly string[]>
  /** Looks again and again until such an event is there; rejects after a minute. */
  readonly until: (merchantId: string, type: string) => Promise<void>
  readonly close: () => Promise<void>
}

export const openCostLog = (dataDir: string): CostLog => {
  const log = createEmbeddedLog({ folder: join(dataDir, 'log'), role: 'reader' })
  const offsets = new Map<number, number>()
  const types = new Map<string, string[]>()

  const typesOf = async (merchantId: string): Promise<readonly string[]> => {
    for await (const records of log.read('costs', new Map(offsets))) {
      for (const { position, key, headers } of records) {
        offsets.set(position.partition, position.offset)
        types.set(key, [...(types.get(key) ?? []), headers.type.replace(NAMESPACE, '')])
      }
    }
    return types.get(merchantId) ?? []
  }

  return {
    typesOf,
    until: async (merchantId, type) => {
      const deadline = Date.now() + LOOK_MAX_MS
      for (;;) {
        const found = await typesOf(merchantId)
        if (found.includes(type)) return
        if (Date.now() > deadline) throw new Error(`${type} was not recorded; ${found.length} events, the last: ${found.at(-1)}`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
    },
    close: () => log.close(),
  }
}
