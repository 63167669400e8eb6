import { type BreakerSettings, DEFAULT_BREAKER } from './circuit-breaker.ts'

/** The bounds of a {@link DispatchEngine}. */
export interface DispatchLimits {
  /** Attempts under way at a time. */
  readonly underWayMax: number
  /** Of these for endpoints that have none under way, and only for new events: one that hangs never holds up one that does not. */
  readonly reservedCount: number
  /** Automatic retries under way at a time. */
  readonly retriesUnderWayMax: number
  /** Of these while new events wait for a place. */
  readonly retriesUnderWayMin: number
  /** Attempts under way for one merchant. */
  readonly underWayPerMerchantMax: number
  /** Deliveries that wait in one lane of all endpoints. */
  readonly waitingPerLaneMax: number
  /** Deliveries that wait in one lane of one endpoint. */
  readonly waitingPerEndpointMax: number
  readonly breaker: BreakerSettings
}

/** What a process dispatches by default. */
export const DEFAULT_DISPATCH_LIMITS: DispatchLimits = {
  underWayMax: 512,
  reservedCount: 128,
  retriesUnderWayMax: 128,
  retriesUnderWayMin: 16,
  underWayPerMerchantMax: 128,
  waitingPerLaneMax: 100_000,
  waitingPerEndpointMax: 5_000,
  breaker: DEFAULT_BREAKER,
}
