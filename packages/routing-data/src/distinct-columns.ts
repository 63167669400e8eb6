/** The columns of a heading as they are; throws when one stands there twice: one of the two would count, and nobody would know which. */
export const distinctColumns = (heading: string[]): string[] => {
  const repeated = heading.find((name, place) => heading.indexOf(name) !== place)
  if (repeated !== undefined) throw new Error(`the heading has ${repeated === '' ? 'a column without a name' : repeated} twice`)
  return heading
}
