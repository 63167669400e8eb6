import { isIP } from 'node:net'
import * as z from 'zod'

/** Requests a second for good, and at once. */
export interface RateSetting {
  readonly perSecond: number
  readonly burst: number
}

/** Items of a list by commas, as one more comma at its end is none. */
export const itemsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** A network such as `192.168.0.0/16` or `fd00::/8`. */
export const isCidr = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** A whole number within bounds; may be left out. */
export const whole = (minimum: number, maximum: number): z.ZodType<number | undefined, string | undefined> =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`)
    .optional()

/** `<requests a second>/<at once>`, or `off`. */
export const rate = (otherwise: string): z.ZodType<RateSetting | null, string | undefined> =>
  z
    .string()
    .regex(/^(off|[1-9]\d{0,5}\/[1-9]\d{0,5})$/, 'must be off, or requests a second and at once, for example 100/500')
    .default(otherwise)
    .transform((text): RateSetting | null => {
      const [perSecond, burst] = text.split('/').map(Number)
      return perSecond === undefined || burst === undefined ? null : { perSecond, burst }
    })
