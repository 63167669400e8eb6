/** A server that was started here: its process, and the folder that its command line names. */
export interface StartedProcess {
  readonly name: string
  readonly pid: number
  readonly folder: string
}
export const isOurs: (server: StartedProcess) => boolean
export const stopProcess: (server: StartedProcess, signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>
