import type { IncomingHttpHeaders } from 'node:http'

const PLAIN_JSON_TYPE = 'application/json'
const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/

/** Whether the content type is `application/json` or `application/*+json`, whatever its parameters. */
export const isJsonType = (headers: IncomingHttpHeaders): boolean => {
  const { 'content-type': sent = '' } = headers
  if (sent === PLAIN_JSON_TYPE) return true
  const [type = ''] = sent.split(';', 1)
  return JSON_TYPE.test(type.trim().toLowerCase())
}

/** Whether a file comes within a form, as pages send it: then the parts of the form would be read for those of the file. */
export const isForm = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  (headers['content-type'] ?? '').trim().toLowerCase().startsWith('multipart/')

/** Bodies are taken as they are: a compressed one could unpack to any size. */
export const isPlainEncoding = (headers: IncomingHttpHeaders): boolean => {
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.trim().toLowerCase() === 'identity'
}
