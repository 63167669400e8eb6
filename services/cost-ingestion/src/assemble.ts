import { type Configuration, type Engines, newId, now, type Voices } from '@switchyard/composition'
import { type CostIngestion, createCostIngestion } from './cost-ingestion.ts'
import type { Spool } from './spool.ts'
import { fitInThread, readInThread } from './threads/run-in-thread.ts'

/** What a process has for this service. */
export interface CostIngestionSurroundings {
  readonly engines: Engines
  readonly configuration: Pick<Configuration, 'states'>
  readonly spool: Spool
  readonly voices: Pick<Voices, 'report'>
}

/** The service in a process, alone or beside others. */
export const assembleCostIngestion = ({ engines, configuration, spool, voices }: CostIngestionSurroundings): CostIngestion =>
  createCostIngestion({
    ...engines,
    ...voices,
    states: configuration.states,
    spool,
    readReport: readInThread,
    fitReports: fitInThread,
    now,
    newId,
  })
