const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const SPECIAL = '!@#$%^&*'
const ALL = UPPER + LOWER + DIGITS + SPECIAL
const LENGTH = 16

/** An even choice of a number below `bound` (at most 256): bytes that would favour the first ones are thrown away. */
const draw = (bound: number, randomBytes: (count: number) => Uint8Array): number => {
  const limit = 256 - (256 % bound)
  for (;;) {
    for (const byte of randomBytes(1)) if (byte < limit) return byte % bound
  }
}

/** A first password: 16 characters, one of each class at least, in random order (platform.md 4). */
export const generatePassword = (randomBytes: (count: number) => Uint8Array): string => {
  const pick = (alphabet: string): string => alphabet.charAt(draw(alphabet.length, randomBytes))
  const characters = [UPPER, LOWER, DIGITS, SPECIAL, ...Array.from({ length: LENGTH - 4 }, () => ALL)].map(pick)
  for (let last = characters.length - 1; last > 0; last--) {
    const other = draw(last + 1, randomBytes)
    const [a = '', b = ''] = [characters[last], characters[other]]
    characters[last] = b
    characters[other] = a
  }
  return characters.join('')
}
