import type { HeaderPair } from '@switchyard/kernel'

/** Bytes that are no text, as text. */
const dataUrl = (bytes: Uint8Array): string => `data:;base64,${Buffer.from(bytes).toString('base64')}`

/**
 * A body as text: UTF-8 as it is, else a `data:;base64,` URL of the bytes. A character that the cap cut in two is left out. Packed
 * bodies are never unpacked.
 */
export const bodyText = (bytes: Uint8Array, end: 'whole' | 'cut'): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: end === 'cut' })
  } catch {
    return dataUrl(bytes)
  }
}

/** Headers as they came: names, values, order and case; a value that is not ASCII is a `data:;base64,` URL of its bytes. */
export const headerPairs = (raw: readonly Buffer[]): readonly HeaderPair[] => {
  const pairs: HeaderPair[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const value = raw[at + 1] ?? Buffer.alloc(0)
    const isAscii = value.every((byte) => byte < 0x80)
    pairs.push([(raw[at] ?? value).toString('latin1'), isAscii ? value.toString('latin1') : dataUrl(value)])
  }
  return pairs
}
