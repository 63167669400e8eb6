const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const SPECIAL = '!@#$%^&*'
const ALL = UPPER + LOWER + DIGITS + SPECIAL
const LENGTH = 16

/** An even choice of `count` numbers below `bound` (at most 256): bytes that would favour the first ones are thrown away. */
const draw = (count: number, bound: number, randomBytes: (count: number) => Uint8Array): readonly number[] => {
  const limit = 256 - (256 % bound)
  const drawn: number[] = []
  while (drawn.length < count) {
    for (const byte of randomBytes(count)) if (byte < limit && drawn.length < count) drawn.push(byte % bound)
  }
  return drawn
}

/** A first password: 16 characters, one of each class at least, in random order (platform.md 4). */
export const generatePassword = (randomBytes: (count: number) => Uint8Array): string => {
  const pick = (alphabet: string): string => alphabet.charAt(draw(1, alphabet.length, randomBytes)[0] ?? 0)
  const characters = [UPPER, LOWER, DIGITS, SPECIAL, ...Array.from({ length: LENGTH - 4 }, () => ALL)].map(pick)
  for (let last = characters.length - 1; last > 0; last--) {
    const other = draw(1, last + 1, randomBytes)[0] ?? 0
    const [a = '', b = ''] = [characters[last], characters[other]]
    characters[last] = b
    characters[other] = a
  }
  return characters.join('')
}
