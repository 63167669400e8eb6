/** Stops what setup.mjs started. */
export default async () => {
  await globalThis.stopSharedCluster?.()
  await globalThis.releaseTestServers?.()
}
