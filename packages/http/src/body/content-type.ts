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

/** Bodies are taken as they are: a compressed one could unpack to any size. */
export const isPlainEncoding = (headers: IncomingHttpHeaders): boolean => {
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.trim().toLowerCase() === 'identity'
}
