import { assert, type SchemaIds } from '@switchyard/kernel'
import type avro from 'avsc'
import { type BodySchema, decodeBody, framedId, knownSchema, resolverOf, unreadable } from './avro-frame.ts'
import { typeOf } from './bounded-blocks.ts'
import type { OutcomeReport } from './generated/inbound.ts'
import { PUBLISHED_SCHEMAS } from './generated/published.ts'

/** Full name of the schema by which others report outcomes. */
export const OUTCOME_REPORT_SUBJECT = 'switchyard.inbound.OutcomeReport'

/** Schemas whose resolution is remembered; beyond it all are resolved anew. */
const READER_COUNT_MAX = 100

const currentType = (): avro.Type => {
  const published = PUBLISHED_SCHEMAS.findLast(({ subject }) => subject === OUTCOME_REPORT_SUBJECT)
  assert(published !== undefined, `${OUTCOME_REPORT_SUBJECT} has no published schema`)
  return typeOf(published.schema)
}

/**
 * Reads framed Avro reports of outcomes, of any version that resolves to that of this release. What it gives throws
 * `SCHEMA_UNKNOWN` for an id that `ids` does not have, `RECORD_UNREADABLE` for another schema and for bytes that don't fit.
 */
export const createOutcomeReportReader = (ids: Pick<SchemaIds, 'schemaOf'>): ((bytes: Uint8Array) => OutcomeReport) => {
  const type = currentType()
  const readers = new Map<number, BodySchema>()

  const readerOf = (id: number): BodySchema => {
    const known = readers.get(id)
    if (known !== undefined) return known
    const { subject, schema } = knownSchema(ids, id)
    if (subject !== OUTCOME_REPORT_SUBJECT) throw unreadable(`the schema is ${subject}, not ${OUTCOME_REPORT_SUBJECT}`)
    const reader = { name: subject, type, resolver: resolverOf(subject, type, schema) }
    if (readers.size >= READER_COUNT_MAX) readers.clear()
    readers.set(id, reader)
    return reader
  }

  return (bytes) => decodeBody(bytes, readerOf(framedId(bytes))) as OutcomeReport
}
