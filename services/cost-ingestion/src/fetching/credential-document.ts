import { checkValue } from '@switchyard/http'
import type { z } from 'zod'
import { FetchFailed } from './fetch-json.ts'

/** The JSON document that a credential for downloads is, read by `schema`; throws {@link FetchFailed} that names the `members` it needs. */
export const credentialDocument = <Schema extends z.ZodType>(schema: Schema, secret: string, members: string): z.output<Schema> => {
  let document: unknown
  try {
    document = JSON.parse(secret)
  } catch {
    document = undefined
  }
  const { success, data } = checkValue(schema, document)
  if (!success) throw new FetchFailed(`the credential for downloads is no document with ${members}`, 'always')
  return data
}
