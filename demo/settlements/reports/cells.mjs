const FEE_DIGITS = 6

/** A fee as reports print it: they reckon with fractions of cents. */
export const money = (value) => value.toFixed(FEE_DIGITS)

/** An amount that was paid. */
export const cents = (value) => value.toFixed(2)

/** A cell with quotes, where it needs them. */
export const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One payment's name in a report. */
export const referenceOf = ({ index }) => `PSP${String(index).padStart(12, '0')}`

/** Parts of a day, UTC; kept for the next payment, which is mostly of the same day. */
let known = { dayMs: Number.NaN, iso: '', slashed: '', month: '' }
export const dayOf = (dayMs) => {
  if (known.dayMs === dayMs) return known
  const date = new Date(dayMs)
  const iso = date.toISOString().slice(0, 10)
  known = {
    dayMs,
    iso,
    slashed: `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`,
    month: iso.slice(0, 7).replace('-', '/'),
  }
  return known
}
