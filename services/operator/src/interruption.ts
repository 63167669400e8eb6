/**
 * Lets SIGINT and SIGTERM end this process at once, behind `clean`. Not by `process.exit`: it waits for the threads of the store, and one
 * that is in the middle of a write waits for this thread; such a process would never end, and never let go of the store's lock for writers.
 */
export const endWhenInterrupted = (clean: () => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clean()
      process.kill(process.pid, signal)
    })
  }
}
