import * as z from 'zod'

/** ISO 8601 as RFC 3339 has it: with seconds, and with minutes and a colon in an offset. Many languages print it without one of them. */
const asRfc3339 = (text: string): string =>
  text
    .replace(/(T\d\d:\d\d)(?=Z|[+-])/, '$1:00')
    .replace(/(T.*[+-]\d\d):?(\d\d)?$/, (_all, beforeMinutes: string, minutes = '00') => `${beforeMinutes}:${minutes}`)

/** Characters of a time, with more digits of a second than anybody sends. */
const TIME_LENGTH_MAX = 64

const sent = z.string().max(TIME_LENGTH_MAX).meta({ format: 'date-time' }).transform(asRfc3339)

/** Times whose year has four digits in UTC, as RFC 3339 has it: with an offset others can be written too. */
const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** A time as it is sent, as epoch milliseconds. */
export const eventTime: z.ZodType<number, string> = sent
  .pipe(z.iso.datetime({ offset: true }))
  .transform(Date.parse)
  .refine((ms) => ms >= FIRST_TIME && ms <= LAST_TIME, 'must be in the years 0000 to 9999 in UTC')

/** {@link eventTime} of a list, where one without an offset is UTC. */
export const listTime: z.ZodType<number, string> = sent
  .pipe(z.iso.datetime({ offset: true, local: true }))
  .transform((text) => Date.parse(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`))
