import type { Freshness } from '@switchyard/analytics'

/** Extra members that say how far an answer reaches. */
export const freshnessAnswer = ({ asOfMs, positions, truncated }: Freshness): object => ({ as_of_ms: asOfMs, positions, truncated })
