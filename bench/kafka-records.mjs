// What is sent through the log on Kafka and through the driver by itself, and how it is counted.
const KEY_COUNT = 200
const BODY_BYTES = 150

export const PARTITION_COUNT = 12
export const BATCH_RECORD_COUNT = 1_000

const body = Buffer.alloc(BODY_BYTES, 7)

/** Records as outcomes are, with consecutive numbers. */
export const recordsFrom = (first, count) =>
  Array.from({ length: count }, (_, index) => ({
    key: `m_${(first + index) % KEY_COUNT}`,
    value: body,
    headers: { id: `event-${first + index}`, type: 'switchyard.payments.OutcomeRecorded', correlation: `request-${first + index}` },
  }))

export const perSecond = (count, startMs) => count / ((performance.now() - startMs) / 1000)

/** Resolves when `add` was called for this many records. */
export const counter = (count) => {
  let seen = 0
  let done
  const all = new Promise((resolve) => {
    done = resolve
  })
  const add = (more) => {
    seen += more
    if (seen >= count) done()
  }
  return { add, all }
}
