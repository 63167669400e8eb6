/** Memory that is really in use: what stays after a collection, in bytes. Buffers are only let go by a second one. Needs --expose-gc. */
export const liveBytes = () => {
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
