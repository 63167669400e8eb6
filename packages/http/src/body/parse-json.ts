import { isUtf8 } from 'node:buffer'
import { JSON_DEPTH_MAX } from '../limits.ts'
import { parseExactly } from './exact-numbers.ts'
import { repeatedMember } from './repeated-members.ts'

/** A parsed body, or what is wrong with it in a client's words. */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly detail: string }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET_OPENING = 0x5b
const BRACKET_CLOSING = 0x5d
const BRACE_OPENING = 0x7b
const BRACE_CLOSING = 0x7d
const PROTOTYPE_MEMBER = '__proto__'

/** Where the string that starts at `start` ends. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

/** Whether `mark` occurs more often than the depth allowed: only then brackets can nest too deep. */
const isFrequent = (text: string, mark: string): boolean => {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) if (++count > JSON_DEPTH_MAX / 2) return true
  return false
}

/** Whether brackets outside of strings nest deeper than allowed, without building anything. */
const isTooDeep = (text: string): boolean => {
  if (!isFrequent(text, '{') && !isFrequent(text, '[')) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    else if (unit === BRACKET_OPENING || unit === BRACE_OPENING) depth++
    else if (unit === BRACKET_CLOSING || unit === BRACE_CLOSING) depth--
    if (depth > JSON_DEPTH_MAX) return true
  }
  return false
}

/**
 * Removes `__proto__` members, which later copying could turn into a prototype. Returns false when a string is no Unicode text. Makes nothing:
 * a list may have a million members.
 */
const sanitise = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every((item) => sanitise(item))
  Reflect.deleteProperty(value, PROTOTYPE_MEMBER)
  const members: Readonly<Record<string, unknown>> = Object(value)
  for (const name in members) if (!name.isWellFormed() || !sanitise(members[name])) return false
  return true
}

/** The engine quotes the text around a fault, which may be a password or a card number and comes to stand in logs of clients. */
const QUOTATION = /, (?:\.{3})?".*"(?:\.{3})?(?= is not valid JSON)/s

const detailOf = (error: unknown): string =>
  error instanceof SyntaxError ? error.message.replace(QUOTATION, ',').slice(0, 200) : 'not JSON'

/** How numbers are read that JavaScript would round: as the nearest one that it has, or as an `ExactNumber`. */
export type NumberReading = 'rounded' | 'exact'

/**
 * Parses a JSON text of at most {@link JSON_DEPTH_MAX} levels. Refused: escapes that are half a character, members that are
 * given twice. Members named `__proto__` are dropped like any other unknown member.
 */
export const parseJsonText = (text: string, numbers: NumberReading = 'rounded'): ParsedJson => {
  if (text.length === 0) return { ok: false, detail: 'the body is empty' }
  if (isTooDeep(text)) return { ok: false, detail: `nested deeper than ${JSON_DEPTH_MAX} levels` }
  try {
    const rounded: unknown = JSON.parse(text)
    const repeated = repeatedMember(text, rounded)
    if (repeated !== undefined) return { ok: false, detail: `the member \`${repeated}\` is given more than once` }
    const value = numbers === 'exact' ? parseExactly(text, rounded) : rounded
    // Both can only come in when the text has an escape or the name itself.
    if (!text.includes('\\u') && !text.includes(PROTOTYPE_MEMBER)) return { ok: true, value }
    return sanitise(value) ? { ok: true, value } : { ok: false, detail: 'a string has half a surrogate pair' }
  } catch (error) {
    return { ok: false, detail: detailOf(error) }
  }
}

/** {@link parseJsonText} of the bytes of a body; refuses also those that are no UTF-8. */
export const parseJson = (bytes: Buffer, numbers: NumberReading = 'rounded'): ParsedJson =>
  isUtf8(bytes) ? parseJsonText(bytes.toString('utf8'), numbers) : { ok: false, detail: 'the body is not UTF-8' }
