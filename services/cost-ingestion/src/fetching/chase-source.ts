import type { ReadyReport } from '@switchyard/costs'
import { checkValue } from '@switchyard/http'
import * as z from 'zod'
import { LISTED_PAGES_MAX } from '../limits.ts'
import { type ChaseCredential, createChaseTokens } from './chase-token.ts'
import { credentialDocument } from './credential-document.ts'
import { FetchFailed, fetchBytes, fetchJson } from './fetch-json.ts'
import type { ReportSource, SourceTools } from './report-source.ts'

const REPORTS_URL = 'https://api.reports.jpmorgan.com/api/v1/reports'
const REPORT_TYPE = 'submissiondetails'

const credentialSchema: z.ZodType<ChaseCredential> = z.object({
  client_id: z.string().min(1),
  resource: z.string(),
  private_key_pem: z.string(),
  access_token: z.string().min(1).optional(),
  token_url: z.url().optional(),
  reports_url: z.url().optional(),
})

const entrySchema = z.object({
  reportIdentifier: z.string().default(''),
  reportStatus: z.string().default(''),
  reportTypeNames: z.array(z.string()).default([]),
  reportDetails: z.object({ url: z.string().default('') }).nullish(),
})
const pageSchema = z.object({
  summarizedReports: z.array(entrySchema),
  next: z.string().nullish(),
  lastPage: z.boolean().nullish(),
})

const credentialOf = (secret: string): ChaseCredential =>
  credentialDocument(credentialSchema, secret, 'client_id, resource and private_key_pem')

const isReady = ({ reportStatus, reportTypeNames }: z.infer<typeof entrySchema>): boolean =>
  reportStatus.toLowerCase() === 'completed' && reportTypeNames.some((name) => name.replaceAll(' ', '').toLowerCase() === REPORT_TYPE)

/** A report is the same one whatever its address, which may be another one each time. */
const readyReport = ({ reportIdentifier, reportDetails }: z.infer<typeof entrySchema>): readonly ReadyReport[] => {
  const reference = reportDetails?.url ?? ''
  return reference === '' ? [] : [{ notificationId: reportIdentifier || reference, reference }]
}

/** Reports are listed, page by page, and fetched with a token. */
export const createChaseSource = (tools: SourceTools): ReportSource => {
  const { fetchStream, assertHost } = tools
  const tokenOf = createChaseTokens(tools)

  return {
    connector: 'chase',
    fetch: async ({ secret, reference: url, signal }) => {
      const credential = credentialOf(secret)
      assertHost('chase', url)
      const headers = [['authorization', `Bearer ${await tokenOf(credential, signal)}`]] as const
      return await fetchBytes(fetchStream, 'the report', { method: 'GET', url, headers, signal })
    },
    listReady: async (secret, signal) => {
      const credential = credentialOf(secret)
      const url = credential.reports_url ?? REPORTS_URL
      assertHost('chase', url)
      const token = await tokenOf(credential, signal)
      const found: ReadyReport[] = []
      let next: string | undefined
      for (let page = 0; page < LISTED_PAGES_MAX; page++) {
        const cursor = next === undefined ? [] : [['next', next] as const]
        const headers = [['authorization', `Bearer ${token}`] as const, ...cursor]
        const { success, data } = checkValue(
          pageSchema,
          await fetchJson(fetchStream, 'the list of reports', { method: 'GET', url, headers, signal }),
        )
        if (!success) throw new FetchFailed('the list of reports has another form than expected', 'now')
        found.push(...data.summarizedReports.filter(isReady).flatMap(readyReport))
        next = data.next ?? undefined
        if (next === undefined || data.lastPage === true) break
      }
      return found
    },
  }
}
