import type { Ingestion } from '@switchyard/costs'
import type { MerchantCipher } from '@switchyard/runtime'
import { FetchFailed } from '../fetching/fetch-json.ts'
import type { ReportSource } from '../fetching/report-source.ts'
import { REPORT_BYTES_MAX } from '../limits.ts'
import { findAccount, openSecret } from '../notices/accounts.ts'
import type { Parts } from '../parts.ts'

/** What fetching a file needs. */
export interface FetchParts extends Pick<Parts, 'spool' | 'states'> {
  readonly cipher: Pick<MerchantCipher, 'open'>
  readonly sourceOf: (connector: string) => ReportSource | undefined
}

const secretOf = async (parts: FetchParts, { merchantId, life, connector, account }: Ingestion): Promise<string> => {
  const stored = await findAccount(parts, connector, account)
  const isOwn = stored?.merchantId === merchantId && stored.merchantRegistrationCount === life
  const secret = isOwn ? await openSecret(parts.cipher, stored, stored.downloadSecret) : undefined
  if (secret === undefined) throw new FetchFailed('no credentials are stored for the account any more', 'now')
  return secret
}

/** Fetches the file of an ingestion into the spool; rejects with {@link FetchFailed}, or the reason of `signal`. */
export const fetchFile = async (parts: FetchParts, ingestion: Ingestion, signal: AbortSignal): Promise<void> => {
  const { merchantId, ingestionId, connector, reference: sealed } = ingestion
  const reference = sealed === null ? undefined : await parts.cipher.open(merchantId, sealed)
  const source = parts.sourceOf(connector)
  if (reference === undefined || source === undefined) throw new FetchFailed('where the report lies is not known any more', 'always')
  const secret = await secretOf(parts, ingestion)
  const bytes = await source.fetch({ secret, reference: Buffer.from(reference).toString(), signal })
  const spooled = await parts.spool.keep(ingestionId, bytes, REPORT_BYTES_MAX)
  if (spooled.kind === 'too-large') throw new FetchFailed(`the report is larger than ${REPORT_BYTES_MAX} bytes`, 'always')
  if (spooled.kind === 'empty') throw new FetchFailed('the report is empty', 'now')
}
