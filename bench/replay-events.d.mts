import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'

export const REPLAYED_MERCHANTS: readonly string[]
export const replayEvents: (
  eventCount: number,
  time?: { readonly startAt: number; readonly paymentIntervalMs: number },
  merchantCount?: number,
) => IterableIterator<GatewayDecided | OutcomeRecorded>
