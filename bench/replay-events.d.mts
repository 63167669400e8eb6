import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'

export const replayEvents: (eventCount: number) => IterableIterator<GatewayDecided | OutcomeRecorded>
