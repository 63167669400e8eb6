import type { NewRecord, RecordHeaders, Topic } from '@switchyard/kernel'

/** What one call appends. */
export type Append = readonly [topic: Topic, records: readonly NewRecord[]]

/**
 * Appends as they go to another thread: all values side by side, everything else as one text. As objects each record would take
 * several times as long on both sides.
 */
export interface PackedAppends {
  /** JSON of [topic, [key, headers, length of the value in bytes] for each record] for each append. */
  readonly heads: string
  readonly values: Uint8Array
}

type Head = readonly [key: string, headers: RecordHeaders, byteCount: number]

/** One message for all of them, in their order. */
export const packAppends = (appends: readonly Append[]): PackedAppends => {
  const heads = appends.map(([topic, records]) => [topic, records.map(({ key, headers, value }): Head => [key, headers, value.length])])
  const values = new Uint8Array(appends.reduce((sum, [, records]) => records.reduce((own, { value }) => own + value.length, sum), 0))
  let end = 0
  for (const [, records] of appends) {
    for (const { value } of records) {
      values.set(value, end)
      end += value.length
    }
  }
  return { heads: JSON.stringify(heads), values }
}

/** What was packed; the values are views of the message's. */
export const unpackAppends = ({ heads, values }: PackedAppends): readonly Append[] => {
  const packed: readonly (readonly [Topic, readonly Head[]])[] = JSON.parse(heads)
  let end = 0
  return packed.map(([topic, records]) => [
    topic,
    records.map(([key, headers, byteCount]) => ({ key, headers, value: values.subarray(end, (end += byteCount)) })),
  ])
}
