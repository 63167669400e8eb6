import * as z from 'zod'

const NO_FEE = -1

/**
 * A number that is to be a fee or an amount. One that is too large for a double, such as `1e999`, arrives as infinite: it is read as
 * one below zero, so that what checks numbers answers 400, as for all that are none of these (cost.md 12).
 */
export const feeNumber: z.ZodType<number> = z.preprocess(
  (value) => (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? NO_FEE : value),
  z.number(),
)
