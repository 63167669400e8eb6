/**
 * Looks whether the process that started this one is still there, and stops once when it is not. npm hands a signal to the shell of
 * its script, and some shells end of it without their child, which would keep its port and its data folder. A signal to the whole group
 * ends the shell too, and has come here by itself: then nothing is to do, a second one would cut off what is being ended in good order.
 */
export const createParentWatch = ({ parentPid, hasSignal, stop }) => {
  const startedBy = parentPid()
  let isAlone = false
  let hasStopped = false
  return () => {
    const isSignalled = hasSignal()
    if (hasStopped || isSignalled || parentPid() === startedBy) return
    // A signal that came at the same moment is heard before the next look.
    hasStopped = isAlone
    isAlone = true
    if (hasStopped) stop()
  }
}

/**
 * Whether a signal has come that ends the service. Whoever supervises the process takes signals over from all who listened before, so
 * each question listens again; while nobody does, a signal ends the process by itself.
 */
export const createSignalNote = (events) => {
  let hasCome = false
  const note = () => {
    hasCome = true
  }
  return () => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      const listeners = events.listeners(signal)
      if (listeners.length > 0 && !listeners.includes(note)) events.on(signal, note)
    }
    return hasCome
  }
}
