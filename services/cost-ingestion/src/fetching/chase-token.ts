import { createHash, createSign, randomUUID } from 'node:crypto'
import { checkValue } from '@switchyard/http'
import * as z from 'zod'
import { KNOWN_TOKEN_COUNT_MAX } from '../limits.ts'
import { FetchFailed, fetchJson } from './fetch-json.ts'
import type { SourceTools } from './report-source.ts'

const TOKEN_URL = 'https://idag2.jpmorganchase.com/adfs/oauth2/token'
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ASSERTION_SECONDS = 300
/** A token is used until so long before its end. */
const MARGIN_SECONDS = 300
const LIFETIME_SECONDS_DEFAULT = 3_600

/** How a merchant's reports are asked for. */
export interface ChaseCredential {
  readonly client_id: string
  readonly resource: string
  readonly private_key_pem: string
  readonly access_token?: string | undefined
  readonly token_url?: string | undefined
  readonly reports_url?: string | undefined
}

const tokenSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(LIFETIME_SECONDS_DEFAULT),
})

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An assertion of who asks, signed with the merchant's key (RS256). */
const assertionOf = ({ client_id: id, private_key_pem: key }: ChaseCredential, audience: string, nowMs: number): string => {
  const claims = { iss: id, sub: id, aud: [audience], exp: Math.floor(nowMs / 1000) + ASSERTION_SECONDS, jti: randomUUID() }
  const text = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}`
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
  } catch {
    throw new FetchFailed('private_key_pem of the credential for downloads is no private key', 'always')
  }
}

const ask = async ({ fetchStream, now }: SourceTools, credential: ChaseCredential, url: string, signal: AbortSignal) => {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credential.client_id,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: assertionOf(credential, url, now()),
    resource: credential.resource,
  })
  const headers = [['content-type', 'application/x-www-form-urlencoded']] as const
  const answer = await fetchJson(fetchStream, 'the token for reports', { method: 'POST', url, headers, body: form.toString(), signal })
  const { success, data } = checkValue(tokenSchema, answer)
  if (!success) throw new FetchFailed('the token for reports: the answer has none', 'now')
  return data
}

/**
 * What a token is kept by. The private key is what proves who asks: another merchant that names the same client would get this one's
 * reports without it.
 */
const keyOf = ({ client_id, resource, private_key_pem: key }: ChaseCredential, url: string): string =>
  JSON.stringify([client_id, resource, url, createHash('sha256').update(key).digest('base64')])

/** Tokens by client and its key, asked for anew shortly before they end (cost.md 3.4). */
export const createChaseTokens = (tools: SourceTools): ((credential: ChaseCredential, signal: AbortSignal) => Promise<string>) => {
  const { assertHost, now } = tools
  const known = new Map<string, { readonly token: string; readonly askedMs: number; readonly untilMs: number }>()
  return async (credential, signal) => {
    if (credential.access_token !== undefined) return credential.access_token
    const url = credential.token_url ?? TOKEN_URL
    const key = keyOf(credential, url)
    const found = known.get(key)
    // Of a clock that was set back nobody knows how long ago that was.
    if (found !== undefined && found.askedMs <= now() && now() < found.untilMs) return found.token
    assertHost('chase', url)
    const { access_token: token, expires_in: seconds } = await ask(tools, credential, url, signal)
    if (known.size >= KNOWN_TOKEN_COUNT_MAX) known.clear()
    const askedMs = now()
    known.set(key, { token, askedMs, untilMs: askedMs + (seconds - MARGIN_SECONDS) * 1000 })
    return token
  }
}
