/** The protocol's whole numbers of few bytes: zig-zag, seven bits a byte, the highest bit says that more follow. */
const MORE = 0x80
const BITS = 0x7f

const zigZag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0

/** Bytes of a 32-bit number. */
export const sizeOfVarInt = (value: number): number => {
  const rest = zigZag(value)
  return rest < 2 ** 7 ? 1 : rest < 2 ** 14 ? 2 : rest < 2 ** 21 ? 3 : rest < 2 ** 28 ? 4 : 5
}

/** Writes a 32-bit number; gives the place behind it. */
export const writeVarInt = (buffer: Buffer, start: number, value: number): number => {
  let at = start
  let rest = zigZag(value)
  while (rest >= MORE) {
    buffer[at++] = (rest & BITS) | MORE
    rest >>>= 7
  }
  buffer[at++] = rest
  return at
}
