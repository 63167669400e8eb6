import { getPriority } from 'node:os'
import { cFunction } from './c-library.ts'

/** Number of `sched_setattr` by processor. */
const CALL_NUMBERS: Partial<Record<NodeJS.Architecture, number>> = { x64: 314, arm64: 274 }
/** The shortest slice that Linux takes, nanoseconds. */
const SLICE_NS = 100_000n
/** Threads that this one starts do not inherit it. */
const RESET_ON_FORK = 1n

const SIZE = 48
const FLAGS_AT = 8
const NICE_AT = 16
const RUNTIME_AT = 24

/** `struct sched_attr` in its first version: usual policy, own priority, and the slice. */
const shortSlice = (): Buffer => {
  const attributes = Buffer.alloc(SIZE)
  attributes.writeUInt32LE(SIZE, 0)
  attributes.writeBigUInt64LE(RESET_ON_FORK, FLAGS_AT)
  attributes.writeInt32LE(getPriority(), NICE_AT)
  attributes.writeBigUInt64LE(SLICE_NS, RUNTIME_AT)
  return attributes
}

/**
 * Lets the calling thread run as soon as it has something to answer. Linux gives each thread a slice of some milliseconds that another
 * one cuts short only if its own is shorter; with all cores busy, the thread that answers waited that long for each request. It asks for
 * the shortest slice (from Linux 6.12 on; sched_setattr(2)), which takes nothing from others but the turn: shares stay as they are.
 * Resolves with whether the system took it.
 */
export const wakeFirst = async (): Promise<boolean> => {
  const call = CALL_NUMBERS[process.arch]
  if (process.platform !== 'linux' || call === undefined) return false
  try {
    const syscall = await cFunction('long syscall(long number, ...)')
    return syscall(call, 'int', 0, 'void *', shortSlice(), 'uint', 0) === 0
  } catch {
    // As with priorities: a courtesy, without which everything works, only less smoothly.
    return false
  }
}
