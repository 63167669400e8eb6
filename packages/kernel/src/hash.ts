const HALF = 0x1_0000_0000

const mix = (h: number): number => {
  let x = h
  x = Math.imul(x ^ (x >>> 16), 0x85eb_ca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2_ae35)
  return (x ^ (x >>> 16)) >>> 0
}

/**
 * A well-mixed 53-bit hash of a list of strings, the same on every machine and for ever (choices recorded in the log
 * depend on it). The parts are separated by their lengths, so ('ab','c') and ('a','bc') differ. Not for secrets.
 */
export const hash53 = (...parts: readonly string[]): number => {
  let a = 0x9e37_79b9
  let b = 0x7f4a_7c15
  for (const part of parts) {
    a = mix(a ^ part.length)
    for (let i = 0; i < part.length; i++) {
      const unit = part.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x5bd1_e995)
      a ^= a >>> 15
      b = Math.imul(b ^ unit, 0x27d4_eb2f)
      b ^= b >>> 13
    }
    b = mix(b + a)
  }
  return (mix(a ^ (b >>> 7)) & 0x1f_ffff) * HALF + mix(b ^ mix(a))
}

/** A well-mixed hash of a text for tables in memory: 32 bits, signed. Not for secrets, and nothing that lasts may depend on it. */
export const hash32 = (text: string): number => {
  let a = 0x9e37_79b9
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x5bd1_e995)
    a ^= a >>> 15
  }
  return mix(a) | 0
}

/** {@link hash53} as a number in [0, 1). */
export const unitInterval = (...parts: readonly string[]): number => hash53(...parts) / 2 ** 53
