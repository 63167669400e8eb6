/**
 * Names within a body as MongoDB takes them in every place: no dot, no dollar sign at the beginning, no NUL, never empty. An
 * escaped character is `%` and two hex digits, the empty name is `%` alone.
 */
const EMPTY = '%'
// oxlint-disable-next-line no-control-regex -- MongoDB takes no NUL in a name
const SPECIAL = /[%.\0]|^\$/g
// oxlint-disable-next-line no-control-regex -- the same, and the empty name
const STORED_OTHERWISE = /[%.\0]|^\$|^$/

/** The name under which a field of a body is stored. */
export const storedName = (name: string): string =>
  name === '' ? EMPTY : name.replace(SPECIAL, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

const givenName = (name: string): string =>
  name === EMPTY ? '' : name.replace(/%([0-9a-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

/** A copy with other names; byte arrays become plain ones of their own. */
const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename))
  if (typeof value !== 'object' || value === null) return value
  return renamedFields(value, rename)
}

// `Object.fromEntries` defines fields: `__proto__` is a name like any other.
const renamedFields = (value: object, rename: (name: string) => string): object =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [rename(name), renamed(field, rename)]))

const isStoredAsGiven = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (value instanceof Uint8Array) return false
  return Array.isArray(value) ? value.every(isStoredAsGiven) : areFieldsStoredAsGiven(value)
}

// Every body that is written comes by here: no list of its names is made.
const areFieldsStoredAsGiven = (value: object): boolean => {
  for (const name in value) if (STORED_OTHERWISE.test(name) || !isStoredAsGiven(Reflect.get(value, name))) return false
  return true
}

/** What is stored of a body: a copy where names are stored otherwise, or byte arrays may be used again. */
export const storedBody = (body: object): object => (areFieldsStoredAsGiven(body) ? body : renamedFields(body, storedName))

/** The body as it was handed over. */
export const givenBody = (stored: object): object => renamedFields(stored, givenName)
