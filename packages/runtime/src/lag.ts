import { BEFORE_FIRST, isOperatingError, type Positions } from '@switchyard/kernel'

/** Offsets between these positions and the ends of the log; null when the log does not name its ends. */
export const lagBehind = async (positions: Positions, endsOf: () => Promise<Positions>): Promise<number | null> => {
  try {
    const ends = await endsOf()
    return [...ends].reduce((sum, [partition, offset]) => sum + Math.max(0, offset - (positions.get(partition) ?? BEFORE_FIRST)), 0)
  } catch (error) {
    if (isOperatingError(error)) return null
    throw error
  }
}
