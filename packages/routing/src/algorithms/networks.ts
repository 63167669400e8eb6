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

/** Also in upper case, as most payments have it. */
const CANONICAL_BY_SPELLING: ReadonlyMap<string, string> = new Map(
  SPELLINGS.trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([canonical = '', ...others]) =>
      [canonical, ...others].flatMap((spelling): [string, string][] => [
        [spelling, canonical],
        [spelling.toUpperCase(), canonical],
      ]),
    ),
)

/** One name for all spellings of a card network; undefined for what is no network of the vocabulary. */
export const canonicalNetwork = (spelling: string): string | undefined =>
  CANONICAL_BY_SPELLING.get(spelling) ?? CANONICAL_BY_SPELLING.get(spelling.toLowerCase().replace(/[ _-]/g, ''))
