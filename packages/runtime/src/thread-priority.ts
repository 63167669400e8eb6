import { readdirSync, readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Nice value of projections and queries: on a full machine they get about a tenth of what the answering thread gets. */
const BACKGROUND_NICE = 10
/** Nice value of deliveries, which somebody waits for: about a third of it. */
export const DELIVERING_NICE = 5
/** Nice value of commands, which nobody waits for: a seventh of what projections get. */
const UNHURRIED_NICE = 19

/**
 * Lets the calling thread step back behind the one that answers decisions (law 8), once it has started: on a full machine a thread
 * that has stepped back starts late, and the process is ready late. Linux keeps priorities a thread and names the thread in
 * `/proc/thread-self`; elsewhere threads are all alike, and nothing happens.
 */
export const yieldToAnswers = (nice: number = BACKGROUND_NICE): void => {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    // A process that was started further back has its threads side by side: none gets in front.
    setPriority(threadId, Math.max(nice, getPriority(process.pid)))
  } catch {
    // A priority is a courtesy: a system that refuses it works as well, only less smoothly.
  }
}

/**
 * Lets the whole calling process step back behind the services on its machine: work that nobody waits for, which would take a core
 * from those who answer. Threads that it starts later follow the one that starts them.
 */
export const yieldToServices = (nice: number = UNHURRIED_NICE): void => {
  try {
    const own = Math.max(nice, getPriority(process.pid))
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), own)
  } catch {
    // As above.
  }
}
