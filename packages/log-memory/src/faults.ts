import { setImmediate as nextTurn } from 'node:timers/promises'
import { assert, OperatingError } from '@switchyard/kernel'
import { WAITING_APPEND_COUNT_MAX } from './limits.ts'

/** Makes the log behave as a real one does on a bad day. */
export interface MemoryLogFaults {
  /** The next appends, this many, reject with `LOG_UNAVAILABLE` and leave nothing in the log. */
  readonly failNextAppends: (count: number) => void
  /** As {@link failNextAppends}, but the records stand in the log all the same: only the answer got lost. */
  readonly loseNextAnswers: (count: number) => void
  /** Appends wait, in the order of the calls, until {@link release}; nothing of them is visible before. */
  readonly hold: () => void
  /** Lets the held appends go on, and later ones through at once. */
  readonly release: () => void
}

/** The faults, and the gate that each append passes. */
export interface FaultGate {
  readonly faults: MemoryLogFaults
  /** Runs `write` when the append may go on: one after the other, each in a turn of the event loop of its own. */
  readonly pass: <Result>(write: () => Result) => Promise<Result>
  /** Resolves when the appends called so far have ended. */
  readonly idle: () => Promise<void>
}

const lost = (): OperatingError => new OperatingError('LOG_UNAVAILABLE', 'the log is away (a fault asked for)', { retryable: true })

export const createFaultGate = (): FaultGate => {
  let failures = 0
  let lostAnswers = 0
  let waitingCount = 0
  let held: Held | undefined
  let previous: Promise<unknown> = Promise.resolve()

  /** Decided when the append is called, so that a fault meets the calls that follow it and no others. */
  const outcomeOfNext = (): 'fail' | 'lose-answer' | 'succeed' => {
    if (failures > 0) {
      failures -= 1
      return 'fail'
    }
    if (lostAnswers > 0) {
      lostAnswers -= 1
      return 'lose-answer'
    }
    return 'succeed'
  }

  const passInTurn = async <Result>(write: () => Result, opened: Promise<void> | undefined, before: Promise<unknown>): Promise<Result> => {
    const outcome = outcomeOfNext()
    await before
    await opened
    await nextTurn()
    if (outcome === 'fail') throw lost()
    const result = write()
    if (outcome === 'lose-answer') throw lost()
    return result
  }

  return {
    faults: {
      failNextAppends: (count) => {
        failures += count
      },
      loseNextAnswers: (count) => {
        lostAnswers += count
      },
      hold: () => {
        held ??= createHeld()
      },
      release: () => {
        held?.open()
        held = undefined
      },
    },
    pass: async (write) => {
      assert(waitingCount < WAITING_APPEND_COUNT_MAX, `at most ${WAITING_APPEND_COUNT_MAX} appends can wait`)
      waitingCount += 1
      const mine = passInTurn(write, held?.opened, previous)
      // Whoever comes next waits for the end of this one, however it ended.
      previous = mine.then(ignore, ignore)
      try {
        return await mine
      } finally {
        waitingCount -= 1
      }
    },
    idle: async () => {
      await previous
    },
  }
}

const ignore = (): void => {}

interface Held {
  readonly opened: Promise<void>
  readonly open: () => void
}

const createHeld = (): Held => {
  let open = ignore
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
