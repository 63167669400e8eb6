/** Spellings of card networks, letters only, lower case: the first of each line is the canonical one (rules.md 4.3, Q14). */
const SPELLINGS = `
  visa visacard
  mastercard mastercardcard
  americanexpress americanexpresscard amex
  jcb
  dinersclub dinersclubcard diners
  discover discovercard
  cartesbancaires
  unionpay
  interac
  rupay
  maestro
  star
  pulse
  accel
  nyce`

const CANONICAL_BY_SPELLING: ReadonlyMap<string, string> = new Map(
  SPELLINGS.trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap((spellings) => spellings.map((spelling): [string, string] => [spelling, spellings[0] ?? spelling])),
)

/** One name for all spellings of a card network; undefined for what is no network of the vocabulary. */
export const canonicalNetwork = (spelling: string): string | undefined =>
  CANONICAL_BY_SPELLING.get(spelling.toLowerCase().replace(/[ _-]/g, ''))
