import { beginningOf } from '@switchyard/kernel'

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const BRACE_OPENING = 0x7b
const BRACE_CLOSING = 0x7d

/** Longest name that is told, in characters. */
const NAME_LENGTH_MAX = 64

/** Members of all objects in a value. */
const memberCountOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += memberCountOf(item)
    return count
  }
  const members: Readonly<Record<string, unknown>> = Object(value)
  for (const name in members) {
    count += 1
    const member = members[name]
    if (typeof member === 'object') count += memberCountOf(member)
  }
  return count
}

/** Colons, those in strings included. */
const anyColonCountOf = (text: string): number => {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count++
  return count
}

/** Where the string that starts at `start` ends. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

/** Colons outside of strings: the members that the text has. */
const colonCountOf = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    else if (unit === COLON) count++
  }
  return count
}

/** The first name that an object of the text has a second time. */
const repeatedNameIn = (text: string): string | undefined => {
  const objects: Set<string>[] = []
  let lastString = ''
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === BRACE_OPENING) objects.push(new Set())
    else if (unit === BRACE_CLOSING) objects.pop()
    else if (unit === QUOTE) {
      const end = endOfString(text, at)
      lastString = text.slice(at, end + 1)
      at = end
    } else if (unit === COLON) {
      // Escapes are read: `a` and `\u0061` are one name.
      const name: string = JSON.parse(lastString)
      const names = objects.at(-1)
      if (names?.has(name) === true) return name
      names?.add(name)
    }
  }
  return undefined
}

/**
 * The name of a member that an object of a JSON text has more than once, or undefined. Readers differ in which of the two
 * they believe, so what one has checked another may not see. `value` is what the text was read as: it has as many members as
 * the text has colons outside of strings, unless one was lost. Nearly always already counting all colons shows that none was,
 * which costs a third of a microsecond for a decision.
 */
export const repeatedMember = (text: string, value: unknown): string | undefined => {
  const memberCount = memberCountOf(value)
  if (memberCount === anyColonCountOf(text) || memberCount === colonCountOf(text)) return undefined
  const name = repeatedNameIn(text)
  return name === undefined ? undefined : beginningOf(name, NAME_LENGTH_MAX)
}
