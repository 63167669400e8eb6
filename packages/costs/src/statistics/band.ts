const BANDS_PER_DECADE = 10

/** Band of an amount, ten to a decade; an amount that is not above zero counts as band 0 (cost.md 7). */
export type Band = number

export const bandOf = (amount: number): Band => (amount > 0 ? Math.floor(BANDS_PER_DECADE * Math.log10(amount)) : 0)

/** Smallest amount of a band, major units. */
export const bandStart = (band: Band): number => 10 ** (band / BANDS_PER_DECADE)

/** Where the next band begins. */
export const bandEnd = (band: Band): number => bandStart(band + 1)
