import type { SchemaIds } from '@switchyard/kernel'
import { OperatingError } from '@switchyard/kernel'
import { PUBLISHED_SCHEMAS } from './generated/published.ts'

/** The ids of the committed schema files: what the embedded engines use, and the same bytes as a registry gives. */
export const publishedSchemaIds = (): SchemaIds => {
  const latest = new Map(PUBLISHED_SCHEMAS.map(({ subject, id }) => [subject, id]))
  const byId = new Map(PUBLISHED_SCHEMAS.map((entry) => [entry.id, entry]))
  return {
    idOf: (subject) => {
      const id = latest.get(subject)
      if (id === undefined) throw new OperatingError('SCHEMA_UNKNOWN', `schema ${subject} was never published`, { retryable: false })
      return id
    },
    schemaOf: (id) => byId.get(id),
  }
}
