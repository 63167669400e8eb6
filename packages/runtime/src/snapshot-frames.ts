import { OperatingError } from '@switchyard/kernel'

/** One merchant's part of a snapshot. */
export interface SnapshotPart {
  readonly merchantId: string
  readonly bytes: Uint8Array
}

const LENGTH_BYTES = 4

const framed = (bytes: Uint8Array): readonly Uint8Array[] => {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes.length)
  return [length, bytes]
}

/** All parts one after another, each as two fields (id, bytes) behind their lengths. */
export const packParts = (parts: readonly SnapshotPart[]): Uint8Array =>
  Buffer.concat(parts.flatMap(({ merchantId, bytes }) => [...framed(Buffer.from(merchantId)), ...framed(bytes)]))

/** Cuts into pieces of at most `size` bytes; no piece when there is nothing. */
export const chunksOf = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

/** Reads what {@link packParts} wrote; throws `RECORD_UNREADABLE` when it is cut off. */
export const unpackParts = (packed: Uint8Array): readonly SnapshotPart[] => {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const parts: SnapshotPart[] = []
  let at = 0
  const field = (): Uint8Array => {
    const from = at + LENGTH_BYTES
    const to = from <= buffer.length ? from + buffer.readUInt32BE(at) : Number.POSITIVE_INFINITY
    if (to > buffer.length) throw new OperatingError('RECORD_UNREADABLE', 'the snapshot is cut off', { retryable: false })
    at = to
    return buffer.subarray(from, to)
  }
  while (at < buffer.length) parts.push({ merchantId: Buffer.from(field()).toString(), bytes: field() })
  return parts
}
