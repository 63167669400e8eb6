import { checkValue } from '@switchyard/http'
import type { FetchRequest } from '@switchyard/kernel'
import * as z from 'zod'
import { FILES_PER_REPORT_MAX } from '../limits.ts'
import { credentialDocument } from './credential-document.ts'
import { FetchFailed, fetchBytes, fetchJson } from './fetch-json.ts'
import type { ReportSource, SourceTools } from './report-source.ts'

const DEFAULT_BASE = 'https://api.checkout.com'

const credentialSchema = z.object({ secret_key: z.string().min(1), api_base_url: z.url().optional() })
const reportSchema = z.object({ files: z.array(z.object({ id: z.string().min(1) })).max(FILES_PER_REPORT_MAX) })

/** A document, or the bare key. */
const credentialOf = (secret: string): { readonly key: string; readonly base: string } => {
  if (!secret.trimStart().startsWith('{')) return { key: secret, base: DEFAULT_BASE }
  const { secret_key: key, api_base_url: base = DEFAULT_BASE } = credentialDocument(credentialSchema, secret, 'a secret_key')
  return { key, base: base.replace(/\/+$/, '') }
}

const LINE_END = 0x0a

/** The bytes behind the first line: every file has a header of its own. */
async function* withoutFirstLine(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isBehind = false
  for await (const chunk of bytes) {
    if (isBehind) {
      yield chunk
      continue
    }
    const end = chunk.indexOf(LINE_END)
    if (end === -1) continue
    isBehind = true
    yield chunk.subarray(end + 1)
  }
}

/** Passes bytes on, with a line end behind the last one. */
async function* endingALine(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last = LINE_END
  for await (const chunk of bytes) {
    last = chunk.at(-1) ?? last
    yield chunk
  }
  if (last !== LINE_END) yield Uint8Array.of(LINE_END)
}

/** A report has several files, which are one table together. */
export const createCheckoutSource = ({ fetchStream, assertHost }: SourceTools): ReportSource => ({
  connector: 'checkout',
  listReady: undefined,
  fetch: async ({ secret, reference, signal }) => {
    const { key, base } = credentialOf(secret)
    assertHost('checkout', base)
    const headers = [['authorization', `Bearer ${key}`]] as const
    const get = (path: string): FetchRequest => ({ method: 'GET', url: base + path, headers, signal })
    const place = `/reports/${encodeURIComponent(reference)}`
    const { success, data } = checkValue(reportSchema, await fetchJson(fetchStream, 'the list of files of the report', get(place)))
    if (!success || data.files.length === 0) throw new FetchFailed('the report has no files that could be fetched', 'now')
    const { files } = data
    return (async function* () {
      for (const [index, { id }] of files.entries()) {
        const bytes = await fetchBytes(fetchStream, 'a file of the report', get(`${place}/files/${encodeURIComponent(id)}`))
        yield* endingALine(index === 0 ? bytes : withoutFirstLine(bytes))
      }
    })()
  },
})
