/**
 * Looks whether the process that started this one is still there, and stops once when it is not. npm hands a signal to the shell of
 * its script, and some shells end of it without their child, which would keep its port and its data folder.
 */
export const createParentWatch = ({ parentPid, stop }) => {
  const startedBy = parentPid()
  let hasStopped = false
  return () => {
    if (hasStopped || parentPid() === startedBy) return
    hasStopped = true
    stop()
  }
}
