const ALIASES: ReadonlyMap<string, string> = new Map([
  ['mastercard', 'mc'],
  ['master', 'mc'],
  ['americanexpress', 'amex'],
  ['dinersclub', 'diners'],
])

/** One lower-case name for the spellings of a card network (cost.md 4); what is none stays as it is, without spaces. */
export const networkOf = (label: string): string => {
  const plain = label.toLowerCase().replace(/\s+/g, '')
  return ALIASES.get(plain) ?? plain
}
