import { type ConnectorAccount, connectorAccounts, REPORT_FORMATS } from '@switchyard/costs'
import { pause, type StreamStates, systemTimers, type Timers } from '@switchyard/runtime'
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
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** One round over all accounts, now. */
  readonly poll: () => Promise<void>
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
  const accounts = pulledAccounts(parts.states)
  const ending = new AbortController()
  let running: Promise<void> = Promise.resolve()

  const ask = async (account: ConnectorAccount): Promise<void> => {
    const secret = await openSecret(cipher, account, account.downloadSecret)
    if (secret === undefined) return
    const references = (await sourceOf(account.connector)?.listReady?.(secret)) ?? []
    for (const reference of references)
      await enqueue(parts, account, { notificationId: reference, reference }, { source: 'POLL', origin: INGESTION })
    if (references.length > 0) worker.wake()
  }
  const poll = async (): Promise<void> => {
    for (const account of accounts()) {
      if (ending.signal.aborted) return
      // One account that fails does not keep the others from their turn.
      await ask(account).catch((error: unknown) =>
        report.failed(`the reports of ${account.connector} account ${account.account} could not be listed`, error),
      )
    }
  }
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await poll()
      await pause(timers, pollSeconds * 1000, ending.signal)
    }
  }

  return {
    poll,
    start: () => {
      if (pollSeconds > 0) running = run().catch((error: unknown) => report.failed('asking for reports has ended', error))
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
