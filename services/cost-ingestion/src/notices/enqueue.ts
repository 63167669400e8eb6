import type { ConnectorAccount, ReadyReport } from '@switchyard/costs'
import type { ReportSource } from '@switchyard/events'
import type { MerchantCipher } from '@switchyard/runtime'
import type { CostJournal, Origin } from '../journal.ts'
import { noticedIngestionId } from './accounts.ts'

/** What enqueueing works with. */
export interface EnqueueParts {
  readonly journal: Pick<CostJournal, 'decide'>
  readonly cipher: Pick<MerchantCipher, 'seal'>
  readonly now: () => number
}

/** Accepts a report that is still to be fetched, once, however often it is told. */
export const enqueue = async (
  { journal, cipher, now }: EnqueueParts,
  owned: ConnectorAccount,
  { notificationId, reference }: ReadyReport,
  told: { readonly source: ReportSource; readonly origin: Origin },
): Promise<void> => {
  const { merchantId, merchantRegistrationCount: life, connector, account } = owned
  const place = { merchantId, life, ingestionId: noticedIngestionId(owned, notificationId) }
  const sealed = await cipher.seal(merchantId, Buffer.from(reference))
  const asked = { connector, account, source: told.source, coversWholeDays: true, reference: sealed, byteCount: null }
  await journal.decide(place, { type: 'AcceptReport', ...asked, at: now() }, told.origin)
}
