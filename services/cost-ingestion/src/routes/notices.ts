import { noticeFormatOf } from '@switchyard/costs'
import { bodyStreamOf, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import { NOTICE_BYTES_MAX } from '../limits.ts'
import type { CostOperations } from '../operations.ts'
import { originOf, pathParam, replyOf } from './cost-route.ts'

const TOO_LARGE = platformError(413, 'TE_03', `The notice is larger than ${NOTICE_BYTES_MAX} bytes`)
const ACCEPTED: RouteReply = { status: 200, text: '[accepted]' }

const bodyOf = async (request: RouteRequest): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = []
  const bytes = bodyStreamOf(request)
  for await (const chunk of bytes) chunks.push(chunk)
  return bytes.isCut() ? undefined : Buffer.concat(chunks)
}

/** `POST /webhooks/settlement/{connector}` (cost.md 3.2): a connector tells that a report is ready. */
export const noticeRoute = (operations: Pick<CostOperations, 'takeNotice'>): Route => ({
  spec: {
    method: 'POST',
    path: '/webhooks/settlement/:connector',
    access: 'public',
    permission: 'routing:write',
    tenant: false,
    body: 'stream',
    streamBytesMax: NOTICE_BYTES_MAX,
    hot: false,
  },
  api: {
    summary: 'Notices of connectors that a settlement report is ready',
    answer: z.literal('[accepted]'),
    media: 'text/plain',
    refusals: { 401: 'The signature is not that of the account' },
  },
  handle: async (request) => {
    const connector = pathParam(request, 'connector')
    const body = await bodyOf(request)
    if (body === undefined) return TOO_LARGE
    const header = noticeFormatOf(connector)?.signatureHeader
    const signature = header === undefined ? undefined : request.headers[header]
    const answer = await operations.takeNotice({
      connector,
      body,
      signature: typeof signature === 'string' ? signature : '',
      origin: originOf(request),
    })
    return answer.ok ? ACCEPTED : replyOf(answer, () => null)
  },
})
