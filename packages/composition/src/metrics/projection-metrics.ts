import type { Topic } from '@switchyard/kernel'
import { systemTimers, within } from '@switchyard/runtime'
import type { Registry } from 'prom-client'
import { counter, gauge, type LabelledNumber } from './counted.ts'

/** How long a scrape waits for the projections to tell of themselves, milliseconds. */
const STATUS_MAX_MS = 2_000

/** How far the projections of a topic are. */
export interface ProjectionFigures {
  readonly topic: Topic
  readonly state: string
  /** Records behind the end of the log; null: the log does not tell. */
  readonly lagCount: number | null
  readonly deadLetterCount?: number
}

/** Asks the projections of a process, or those that it reads from. */
export type AskProjections = () => Promise<readonly ProjectionFigures[]>

/** How far the read models are, asked at each scrape; nothing while nobody answers. */
export const createProjectionMetrics = (registry: Registry): ((ask: AskProjections) => void) => {
  const registers = [registry]
  let ask: AskProjections = async () => []
  const labelNames = ['topic']

  const read = (valueOf: (figures: ProjectionFigures) => number | null | undefined) => async (): Promise<readonly LabelledNumber[]> => {
    const late = (): Error => new Error('the projections do not answer')
    const all = await within(systemTimers, ask(), STATUS_MAX_MS, late).catch((): readonly ProjectionFigures[] => [])
    return all.flatMap((figures) => {
      const value = valueOf(figures)
      return value === null || value === undefined ? [] : [{ labels: { topic: figures.topic }, value }]
    })
  }
  gauge({
    name: 'projection_lag_records',
    help: 'Records of the log that the read models do not show yet',
    labelNames,
    registers,
    read: read(({ lagCount }) => lagCount),
  })
  gauge({
    name: 'projection_running',
    help: '1 while the read models follow the log',
    labelNames,
    registers,
    read: read(({ state }) => Number(state === 'running')),
  })
  counter({
    name: 'dead_letters_total',
    help: 'Records that could not be read and were put aside since the start',
    labelNames,
    registers,
    read: read(({ deadLetterCount }) => deadLetterCount),
  })
  return (asked) => {
    ask = asked
  }
}
