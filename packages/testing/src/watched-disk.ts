import * as promises from 'node:fs/promises'

/** What a test sees of the disk: it can't cut the power, but tell what would be lost. */
export interface WatchedDisk {
  /** What was done, in order: files and folders that were synced, and files that got their name. */
  readonly steps: string[]
  /** In place of `node:fs/promises`. */
  readonly module: typeof promises
}

/** A {@link WatchedDisk} on which nothing was done yet. */
export const watchDisk = (): WatchedDisk => {
  const steps: string[] = []
  const open: typeof promises.open = async (path, ...rest) => {
    const handle = await promises.open(path, ...rest)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      steps.push((await handle.stat()).isDirectory() ? `folder ${String(path)} on disk` : 'file on disk')
    }
    return handle
  }
  const naming =
    (name: (from: string, to: string) => Promise<void>) =>
    async (from: string, to: string): Promise<void> => {
      await name(from, to)
      steps.push('named')
    }
  return { steps, module: { ...promises, open, link: naming(promises.link), rename: naming(promises.rename) } as typeof promises }
}
