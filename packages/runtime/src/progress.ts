import { BEFORE_FIRST, includes, OperatingError, type Position, type Positions, type Topic } from '@switchyard/kernel'
import { POSITION_WAIT_MAX_MS, POSITION_WAITERS_MAX } from './limits.ts'
import type { Timers } from './timers.ts'

/** How far a reader of a topic has come, and who waits for it to come further. */
export interface Progress {
  readonly positions: () => Positions
  /** Everything up to `offset` is included now; never goes back. */
  readonly advance: (partition: number, offset: number) => void
  /** Rejects with `POSITION_NOT_REACHED` after `boundMs` (default {@link POSITION_WAIT_MAX_MS}), or when the reader has ended. */
  readonly waitFor: (position: Position, boundMs?: number) => Promise<void>
  /** {@link waitFor} for every partition. */
  readonly waitForAll: (positions: Positions, boundMs?: number) => Promise<void>
  /** The reader has ended: nobody waits any longer. */
  readonly end: (cause?: unknown) => void
}

interface Waiter {
  readonly offset: number
  readonly finish: (error?: OperatingError) => void
}

const notReached = (text: string, cause?: unknown): OperatingError =>
  new OperatingError('POSITION_NOT_REACHED', text, { retryable: true, cause })

/** {@link Progress} from before the first record on. */
export const createProgress = (topic: Topic, timers: Timers): Progress => {
  const positions = new Map<number, number>()
  const waiters = new Map<number, Set<Waiter>>()
  let waiting = 0
  let ended: OperatingError | undefined

  const finish = (partition: number, isDue: (waiter: Waiter) => boolean, error?: OperatingError): void => {
    for (const waiter of waiters.get(partition) ?? []) if (isDue(waiter)) waiter.finish(error)
  }

  const enter = ({ partition, offset }: Position, boundMs: number, settle: (error?: OperatingError) => void): void => {
    const group = waiters.get(partition) ?? new Set<Waiter>()
    waiters.set(partition, group)
    const cancel = timers.after(boundMs, () =>
      waiter.finish(notReached(`${topic} ${partition}/${offset} was not reached in ${boundMs} ms`)),
    )
    const waiter: Waiter = {
      offset,
      finish: (error) => {
        if (!group.delete(waiter)) return
        if (group.size === 0) waiters.delete(partition)
        waiting -= 1
        cancel()
        settle(error)
      },
    }
    group.add(waiter)
    waiting += 1
  }

  const waitFor = async (position: Position, boundMs: number = POSITION_WAIT_MAX_MS): Promise<void> => {
    if (includes(positions, position)) return
    if (ended !== undefined) throw ended
    if (waiting >= POSITION_WAITERS_MAX) throw notReached(`more than ${POSITION_WAITERS_MAX} readers wait for ${topic}`)
    await new Promise<void>((resolve, reject) =>
      enter(position, boundMs, (error) => {
        if (error === undefined) resolve()
        else reject(error)
      }),
    )
  }

  return {
    positions: () => positions,
    advance: (partition, offset) => {
      if (offset <= (positions.get(partition) ?? BEFORE_FIRST)) return
      positions.set(partition, offset)
      finish(partition, (waiter) => waiter.offset <= offset)
    },
    waitFor,
    waitForAll: async (ends, boundMs) => {
      await Promise.all([...ends].map(([partition, offset]) => waitFor({ partition, offset }, boundMs)))
    },
    end: (cause) => {
      ended ??= notReached(`the reader of ${topic} has ended`, cause)
      for (const partition of waiters.keys()) finish(partition, () => true, ended)
    },
  }
}
