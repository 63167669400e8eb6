import { costIngestions, type FitHeads, fitHeads, type Ingestion, readFit } from '@switchyard/costs'
import type { ReadStore } from '@switchyard/kernel'
import { documentsOf } from '../../support/replay.ts'
import { type Acknowledged, REPORT_PAYMENT_COUNT } from '../load.ts'

/** A report whose process was killed is begun anew when the claim of a minute has ended, and learned from a minute later. */
const REPORT_WAIT_MAX_MS = 150_000
const LOOK_PAUSE_MS = 100

/** Payments that were learned from, by the only account of each report. */
const learnedCounts = async (store: ReadStore): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const [key, document] of await documentsOf(store, fitHeads.name)) {
    const merchantId = String(JSON.parse(key)[0])
    const { body } = document as { readonly body: FitHeads }
    for (const head of body.heads) {
      const fit = await readFit(store, merchantId, head)
      counts.set(
        `${merchantId} ${head.account}`,
        (fit?.clusters ?? []).reduce((sum, { paymentCount }) => sum + paymentCount, 0),
      )
    }
  }
  return counts
}

const ingestionsOf = async (store: ReadStore): Promise<readonly Ingestion[]> =>
  [...(await documentsOf(store, costIngestions.name)).values()].map((document) => (document as { readonly body: Ingestion }).body)

/** What is wrong, in words, with what was learned from acknowledged reports: each counts once. */
export const inTheCosts = async (store: ReadStore, { ingestionIds }: Acknowledged): Promise<readonly string[]> => {
  const learned = await learnedCounts(store)
  const ingestions = new Map((await ingestionsOf(store)).map((ingestion) => [ingestion.ingestionId, ingestion]))
  return ingestionIds.flatMap((id) => {
    const { status = 'ABSENT', merchantId, account, lastError } = ingestions.get(id) ?? {}
    const count = learned.get(`${merchantId} ${account}`) ?? 0
    if (status === 'COMPLETED' && count === REPORT_PAYMENT_COUNT) return []
    return [`the acknowledged report ${id} is ${status} (${lastError}), ${count} of its ${REPORT_PAYMENT_COUNT} payments were learned from`]
  })
}

/** Waits until all reports were taken in, or are given up. */
export const reportsEnded = async (store: ReadStore): Promise<void> => {
  const deadline = Date.now() + REPORT_WAIT_MAX_MS
  for (;;) {
    const open = (await ingestionsOf(store)).filter(({ status }) => status !== 'COMPLETED' && status !== 'FAILED')
    if (open.length === 0) return
    if (Date.now() > deadline) throw new Error(`reports are stuck: ${open.map((one) => `${one.ingestionId} ${one.status}`).join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS))
  }
}
