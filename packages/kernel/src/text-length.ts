/** Whether a text has so many characters at most, measured as schemas do: one beyond the first plane is one, and two units. */
export const isUpTo = (text: string, lengthMax: number): boolean =>
  text.length <= lengthMax || (text.length <= 2 * lengthMax && Array.from(text).length <= lengthMax)
