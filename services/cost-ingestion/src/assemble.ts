import { merchants } from '@switchyard/access'
import { type Configuration, type Engines, newId, now, type Voices } from '@switchyard/composition'
import type { FetchStream, Hmac } from '@switchyard/kernel'
import { createMerchantCipher, type MerchantCipherDependencies, type ReportSettings } from '@switchyard/runtime'
import { type CostIngestion, createCostIngestion } from './cost-ingestion.ts'
import { createReportHosts } from './fetching/report-hosts.ts'
import { createReportSources } from './fetching/report-sources.ts'
import type { Spool } from './spool.ts'
import { fitInThread, readInThread } from './threads/run-in-thread.ts'

/** What a process has for this service. */
export interface CostIngestionSurroundings {
  readonly engines: Engines
  readonly configuration: Pick<Configuration, 'states'>
  /** Where the data keys of merchants are kept, and what wraps them. */
  readonly keys: Pick<MerchantCipherDependencies, 'vault' | 'secrets'>
  readonly spool: Spool
  readonly fetchStream: FetchStream
  readonly hmac: Hmac
  readonly settings: Pick<ReportSettings, 'pollSeconds' | 'hosts'>
  /** No other process takes reports in. */
  readonly isAlone: boolean
  readonly voices: Pick<Voices, 'report'>
}

/** The service in a process, alone or beside others. */
export const assembleCostIngestion = (surroundings: CostIngestionSurroundings): CostIngestion => {
  const { engines, configuration, keys, spool, fetchStream, hmac, settings, isAlone, voices } = surroundings
  const { states } = configuration
  const lifeOf = (merchantId: string): number => states.stateOf(merchants, merchantId).registrationCount
  return createCostIngestion({
    ...engines,
    ...voices,
    states,
    spool,
    hmac,
    isAlone,
    cipher: createMerchantCipher({ ...keys, lifeOf }),
    sourceOf: createReportSources({ fetchStream, assertHost: createReportHosts(settings.hosts), now }),
    pollSeconds: settings.pollSeconds,
    readReport: readInThread,
    fitReports: fitInThread,
    now,
    newId,
  })
}
