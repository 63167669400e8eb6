import { beginningOf } from '@switchyard/kernel'
import { CHANGE_VALUE_LENGTH_MAX, CHANGED_FIELDS_MAX } from '../limits.ts'

/** A value that is different now. Of lists of objects, those that went or changed, and those that came or changed; the whole lists when their order changed. */
export interface Difference {
  /** Names from the outside in, joined with dots. */
  readonly field: string
  /** Null where there was nothing. */
  readonly before: unknown
  /** Null where there is nothing any more. */
  readonly after: unknown
}

/** Stands for what is no reader's business. */
const HIDDEN = '[hidden]'

/** Members whose values prove or unlock something, also as hashes. */
export const SECRET_NAME: RegExp = /hash|secret|password|token|cipher|encrypted|credential|private|sealed|customHeaders$/i

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

const isObjectList = (value: unknown): value is readonly Members[] => Array.isArray(value) && value.length > 0 && value.every(isMembers)

const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hiddenIf(name, member)]))
}

const hiddenIf = (name: string, value: unknown): unknown =>
  SECRET_NAME.test(name) && value !== null && value !== undefined ? HIDDEN : withoutSecrets(value)

/** What of a value the journal keeps: no secret, and of a long one its beginning. */
const kept = (value: unknown): unknown => {
  if (value === undefined || value === null) return null
  const shown = withoutSecrets(value)
  const text = JSON.stringify(shown)
  return text.length <= CHANGE_VALUE_LENGTH_MAX
    ? shown
    : { cut_off: true, length: text.length, beginning: beginningOf(text, CHANGE_VALUE_LENGTH_MAX) }
}

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (!Array.isArray(a) || !Array.isArray(b)) return JSON.stringify(a) === JSON.stringify(b)
  return a.length === b.length && a.every((element, i) => isSame(element, b[i]))
}

interface Lists {
  readonly before: readonly Members[]
  readonly after: readonly Members[]
}

/** Without the objects that both begin with and end with: copy-on-write leaves all but a few of a long list, and comparing texts takes long. */
const changedParts = ({ before, after }: Lists): Lists => {
  const bound = Math.min(before.length, after.length)
  let start = 0
  while (start < bound && before[start] === after[start]) start += 1
  let end = 0
  while (end < bound - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) }
}

/** Elements of a list that the other has not. */
const only = (list: readonly Members[], others: readonly Members[]): readonly Members[] => {
  const known = new Set(others.map((other) => JSON.stringify(other)))
  return list.filter((element) => !known.has(JSON.stringify(element)))
}

const listDifference = (field: string, before: unknown, after: unknown): Difference | undefined => {
  const lists = { before: Array.isArray(before) ? before : [], after: Array.isArray(after) ? after : [] }
  if (!lists.before.every(isMembers) || !lists.after.every(isMembers)) return undefined
  const parts = changedParts(lists)
  const [gone, come] = [only(parts.before, parts.after), only(parts.after, parts.before)]
  // The same objects in another order, or one of them more often: the whole lists alone tell it.
  const [told, toldAfter] = gone.length === 0 && come.length === 0 ? [lists.before, lists.after] : [gone, come]
  return { field, before: kept(told), after: kept(toldAfter) }
}

/**
 * What is different between two states, member by member, at most {@link CHANGED_FIELDS_MAX}. States are changed
 * copy-on-write, so what is the same object is not looked into.
 */
export const differencesOf = (field: string, before: unknown, after: unknown): readonly Difference[] => {
  if (before === after) return []
  if (isMembers(before) && isMembers(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names]
      .flatMap((name) =>
        SECRET_NAME.test(name)
          ? hiddenDifference(`${field}.${name}`, before[name], after[name])
          : differencesOf(`${field}.${name}`, before[name], after[name]),
      )
      .slice(0, CHANGED_FIELDS_MAX)
  }
  if (isSame(before, after)) return []
  const list = isObjectList(before) || isObjectList(after) ? listDifference(field, before, after) : undefined
  return [list ?? { field, before: kept(before), after: kept(after) }]
}

const hiddenDifference = (field: string, before: unknown, after: unknown): readonly Difference[] =>
  isSame(before, after)
    ? []
    : [
        {
          field,
          before: before === null || before === undefined ? null : HIDDEN,
          after: after === null || after === undefined ? null : HIDDEN,
        },
      ]
