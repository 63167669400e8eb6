import { CONNECT_TIMEOUT_MS } from './limits.ts'

/** What a deadline looks at. */
export interface Deadline {
  /** End of everything, by `performance.now()`. */
  readonly atMs: number
  readonly isConnected: () => boolean
  readonly expired: () => void
}

/** One timer for both bounds: that of the connection, then that of everything. Returns what ends it. */
export const startDeadline = ({ atMs, isConnected, expired }: Deadline): (() => void) => {
  const check = (): void => {
    const leftMs = atMs - performance.now()
    if (!isConnected() || leftMs <= 0) expired()
    else timer = setTimeout(check, leftMs)
  }
  let timer = setTimeout(check, Math.max(0, Math.min(CONNECT_TIMEOUT_MS, atMs - performance.now())))
  return () => clearTimeout(timer)
}
