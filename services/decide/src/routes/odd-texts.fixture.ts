/** For property tests: texts at the bounds of ids and names, also where a character is two units, and what is no text. */
export const ODD_TEXTS = [
  undefined,
  null,
  true,
  '',
  'x'.repeat(64),
  'x'.repeat(65),
  '😀'.repeat(64),
  '😀'.repeat(65),
  'x'.repeat(255),
  'x'.repeat(256),
] as const
