import type { DatastoreProbe } from './datastore-probe.ts'

/** Longest time that one step of the probe may take, milliseconds. */
const PROBE_STEP_TIMEOUT_MS = 2_000

/** What works of the datastore. */
export interface Diagnosis {
  readonly connection: StepResult
  readonly read: StepResult
  readonly write: StepResult
  readonly remove: StepResult
}

type StepResult = 'Working' | 'Failing'

/** Whether the step succeeded within the bound; its late result or error is of no interest any more. */
const succeeds = async (step: () => Promise<void>, timeoutMs: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const done = step().then(
    () => true,
    () => false,
  )
  const result = await Promise.race([done, late])
  clearTimeout(timer)
  return result
}

/**
 * Takes the steps in order; from the first one that fails on, all are Failing (platform.md 12). Requests that come while a
 * diagnosis runs share it, so that they can't disturb each other's probe document.
 */
export const createDiagnose = (probe: DatastoreProbe, timeoutMs: number = PROBE_STEP_TIMEOUT_MS): (() => Promise<Diagnosis>) => {
  let running: Promise<Diagnosis> | undefined

  const diagnose = async (): Promise<Diagnosis> => {
    let works = true
    const take = async (step: () => Promise<void>): Promise<StepResult> => {
      works = works && (await succeeds(step, timeoutMs))
      return works ? 'Working' : 'Failing'
    }
    return {
      connection: await take(probe.connect),
      read: await take(probe.read),
      write: await take(probe.write),
      remove: await take(probe.remove),
    }
  }

  return () => {
    running ??= diagnose().finally(() => {
      running = undefined
    })
    return running
  }
}
