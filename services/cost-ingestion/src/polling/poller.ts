import { type ConnectorAccount, connectorAccounts, REPORT_FORMATS } from '@switchyard/costs'
import { createRounds, type StreamStates, systemTimers, type Timers } from '@switchyard/runtime'
import type { ReportSource } from '../fetching/report-source.ts'
import type { IngestionWorker } from '../ingesting/worker.ts'
import { INGESTION } from '../journal.ts'
import { isCurrent, openSecret } from '../notices/accounts.ts'
import { enqueue } from '../notices/enqueue.ts'
import type { NoticeParts } from '../notices/take-notice.ts'
import type { Parts } from '../parts.ts'

/** What polling works with. */
export interface PollerParts extends NoticeParts {
  readonly states: NoticeParts['states'] & Pick<StreamStates, 'onChange'>
  readonly report: Parts['report']
  readonly sourceOf: (connector: string) => ReportSource | undefined
}

/** Asks connectors that do not tell by themselves for new reports (cost.md 3.4). */
export interface Poller {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

const PULLED: ReadonlySet<string> = new Set(REPORT_FORMATS.filter(({ isPulled }) => isPulled).map(({ connector }) => connector))

/** Accounts of pulled connectors, whosever they are. */
const pulledAccounts = (states: PollerParts['states']): (() => readonly ConnectorAccount[]) => {
  const byKey = new Map<string, ConnectorAccount>()
  states.onChange((key) => {
    const { stored } = states.stateOf(connectorAccounts, key)
    if (stored !== null && PULLED.has(stored.connector)) byKey.set(key, stored)
    else byKey.delete(key)
  })
  return () => [...byKey.values()].filter((account) => isCurrent({ states }, account))
}

/** A {@link Poller}; `pollSeconds` 0: it never asks. */
export const createPoller = (
  parts: PollerParts,
  worker: Pick<IngestionWorker, 'wake'>,
  pollSeconds: number,
  timers: Timers = systemTimers,
): Poller => {
  const { sourceOf, cipher, report } = parts
  const ending = new AbortController()
  const accounts = pulledAccounts(parts.states)

  const ask = async (account: ConnectorAccount): Promise<void> => {
    const secret = await openSecret(cipher, account, account.downloadSecret)
    if (secret === undefined) return
    const ready = (await sourceOf(account.connector)?.listReady?.(secret, ending.signal)) ?? []
    for (const report of ready) await enqueue(parts, account, report, { source: 'POLL', origin: INGESTION })
    if (ready.length > 0) worker.wake()
  }

  const rounds = createRounds({
    name: 'asking for reports',
    items: accounts,
    lookAt: ask,
    onFailure: ({ connector, account }, error) => {
      if (!ending.signal.aborted) report.failed(`the reports of ${connector} account ${account} could not be listed`, error)
    },
    pauseMs: pollSeconds * 1000,
    timers,
  })
  return {
    start: async () => {
      if (pollSeconds > 0) await rounds.start()
    },
    stop: async () => {
      ending.abort()
      await rounds.stop()
    },
  }
}
