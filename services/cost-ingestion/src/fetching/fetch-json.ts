import type { FetchRequest, FetchStream } from '@switchyard/kernel'
import { FETCHED_JSON_BYTES_MAX } from '../limits.ts'

/** A report could not be fetched. `always`: it never will be, as things stand. */
export class FetchFailed extends Error {
  readonly fails: 'always' | 'now'

  constructor(message: string, fails: 'always' | 'now') {
    super(message)
    this.fails = fails
  }
}

const STATUS_NOT_FOUND = 404
const STATUS_GONE = 410

/** What a status other than success means: a credential may be put right, what is gone stays gone. */
const refusedBy = (what: string, status: number): FetchFailed =>
  new FetchFailed(`${what}: the connector answered ${status}`, status === STATUS_NOT_FOUND || status === STATUS_GONE ? 'always' : 'now')

/** The bytes of an answer; rejects with {@link FetchFailed}. Neither the address nor what was answered is told. */
export const fetchBytes = async (fetchStream: FetchStream, what: string, request: FetchRequest): Promise<AsyncIterable<Uint8Array>> => {
  const answer = await fetchStream(request)
  if (answer.kind === 'refused') throw new FetchFailed(`${what}: its address is not allowed (${answer.rule})`, 'always')
  if (answer.kind !== 'answered') throw new FetchFailed(`${what}: ${answer.kind.replaceAll('_', ' ')}`, 'now')
  if (answer.status === 200) return answer.bytes
  const reading = answer.bytes[Symbol.asyncIterator]()
  await reading.return?.()
  throw refusedBy(what, answer.status)
}

/** An answer of JSON, within a bound. */
export const fetchJson = async (fetchStream: FetchStream, what: string, request: FetchRequest): Promise<unknown> => {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of await fetchBytes(fetchStream, what, request)) {
    byteCount += chunk.length
    if (byteCount > FETCHED_JSON_BYTES_MAX)
      throw new FetchFailed(`${what}: the answer is larger than ${FETCHED_JSON_BYTES_MAX} bytes`, 'now')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new FetchFailed(`${what}: the answer is no JSON`, 'now')
  }
}
