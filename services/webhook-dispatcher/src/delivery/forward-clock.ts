import type { Now } from '@switchyard/kernel'

/** A clock that goes on from where it was when the one it follows is set back: waits are as long as they were meant to be. */
export const createForwardClock = (now: Now): Now => {
  let last = now()
  let setBackMs = 0
  return () => {
    const current = now()
    setBackMs = Math.max(setBackMs, last - current)
    last = current + setBackMs
    return last
  }
}
