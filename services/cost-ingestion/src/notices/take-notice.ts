import { noticeFormatOf } from '@switchyard/costs'
import type { Hmac } from '@switchyard/kernel'
import type { MerchantCipher } from '@switchyard/runtime'
import type { IngestionWorker } from '../ingesting/worker.ts'
import type { Answer, NoticeRequest } from '../operations.ts'
import type { Parts } from '../parts.ts'
import { findAccount, openSecret } from './accounts.ts'
import { enqueue } from './enqueue.ts'

/** What taking notices works with. */
export interface NoticeParts extends Pick<Parts, 'journal' | 'states' | 'now'> {
  readonly cipher: Pick<MerchantCipher, 'open' | 'seal'>
  readonly hmac: Hmac
}

const refused = (refusal: 'NOTICE_UNREADABLE' | 'NOTICE_UNSIGNED', detail?: string): Answer<never> =>
  detail === undefined ? { ok: false, refusal } : { ok: false, refusal, detail }

/**
 * Takes the notice of a connector that reports are ready (cost.md 3.2). Nothing of it is used before its signature was checked, but
 * the account, to find the secret by.
 */
export const createTakeNotice =
  (parts: NoticeParts, worker: Pick<IngestionWorker, 'wake'>) =>
  async ({ connector, origin, ...sent }: NoticeRequest): Promise<Answer<null>> => {
    const notice = noticeFormatOf(connector)?.parse(sent)
    if (notice === undefined) return refused('NOTICE_UNREADABLE', 'this is no notice of a connector that sends any')
    const account = await findAccount(parts, connector.toLowerCase(), notice.account)
    if (account === undefined) return refused('NOTICE_UNREADABLE', 'no credentials are stored for its account')
    const secret = await openSecret(parts.cipher, account, account.webhookSecret)
    if (secret === undefined || !notice.isSigned(secret, parts.hmac)) return refused('NOTICE_UNSIGNED')
    for (const report of notice.reports) await enqueue(parts, account, report, { source: 'WEBHOOK', origin })
    if (notice.reports.length > 0) worker.wake()
    return { ok: true, value: null }
  }
