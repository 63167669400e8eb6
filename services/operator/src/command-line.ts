import { parseArgs } from 'node:util'
import { OperatingError, TOPICS, type Topic } from '@switchyard/kernel'
import { parseTime } from './parse-time.ts'

/** Dead letters that are listed when no limit is given, and at most. */
const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help' }
  | {
      readonly name: 'replay'
      readonly topic: Topic
      readonly merchantId: string | undefined
      /** Epoch milliseconds: the first `at` that is printed, and the first one that is not any more. */
      readonly from: number | undefined
      readonly to: number | undefined
      readonly format: 'ndjson' | 'records'
    }
  | { readonly name: 'lag'; readonly format: 'text' | 'json' }
  | { readonly name: 'dead-letters list'; readonly topic: Topic | undefined; readonly limit: number }
  | { readonly name: 'dead-letters show'; readonly topic: Topic; readonly partition: number; readonly offset: number }
  | { readonly name: 'dead-letters retry' }
  | { readonly name: 'verify'; readonly projection: string }
  | { readonly name: 'rebuild'; readonly projection: string; readonly isAnew: boolean }

/** What is wrong with the command line, for the person who typed it. */
export const misused = (message: string): OperatingError => new OperatingError('SETTING_INVALID', message, { retryable: false })

const OPTIONS = {
  topic: { type: 'string' },
  merchant: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  format: { type: 'string' },
  limit: { type: 'string' },
  anew: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

type Option = keyof typeof OPTIONS
type Values = { readonly [Name in Option]?: string | boolean }

/** The options that each command knows. */
const KNOWN: Readonly<Record<string, readonly Option[]>> = {
  replay: ['topic', 'merchant', 'since', 'until', 'format'],
  lag: ['format'],
  'dead-letters list': ['topic', 'limit'],
  rebuild: ['anew'],
}

const textOf = (values: Values, option: Option): string | undefined => {
  const value = values[option]
  return typeof value === 'string' ? value : undefined
}

const topicOf = (text: string | undefined): Topic => {
  const topic = TOPICS.find((known) => known === text)
  if (topic === undefined) throw misused(`a topic is needed: ${TOPICS.join(' or ')}`)
  return topic
}

const oneOf = <Choice extends string>(option: Option, text: string | undefined, choices: readonly [Choice, ...Choice[]]): Choice => {
  const chosen = text === undefined ? choices[0] : choices.find((choice) => choice === text)
  if (chosen === undefined) throw misused(`--${option} is one of ${choices.join(', ')}`)
  return chosen
}

const count = (what: string, text: string | undefined, max: number): number => {
  const value = /^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (!(value <= max)) throw misused(`${what} is a number from 0 to ${max}`)
  return value
}

const timeOf = (values: Values, option: Option, now: number): number | undefined => {
  const text = textOf(values, option)
  if (text === undefined) return undefined
  const time = parseTime(text, now)
  if (time === undefined) throw misused(`--${option} is a span such as 2h or 7d, or a date such as 2026-11-21T10:00:00Z`)
  return time
}

const merchantOf = (values: Values): string | undefined => {
  const merchantId = textOf(values, 'merchant')
  if (merchantId === '') throw misused('--merchant is the id of a merchant')
  return merchantId
}

const replayOf = (values: Values, now: number): Command => {
  const [from, to] = [timeOf(values, 'since', now), timeOf(values, 'until', now)]
  if (from !== undefined && to !== undefined && from >= to) throw misused('--since is to lie before --until')
  return {
    name: 'replay',
    topic: topicOf(textOf(values, 'topic')),
    merchantId: merchantOf(values),
    from,
    to,
    format: oneOf('format', textOf(values, 'format'), ['ndjson', 'records']),
  }
}

const listOf = (values: Values): Command => {
  const topic = textOf(values, 'topic')
  const limit = textOf(values, 'limit')
  return {
    name: 'dead-letters list',
    topic: topic === undefined ? undefined : topicOf(topic),
    limit: limit === undefined ? LISTED_DEFAULT : count('--limit', limit, LISTED_MAX),
  }
}

const projectionOf = (text: string | undefined): string => {
  if (text === undefined)
    throw misused('the name of a projection is needed: a topic (config, payments, webhooks, costs), or a collection of theirs')
  return text
}

const commandOf = (name: string, rest: readonly string[], values: Values, now: number): Command => {
  const [first, second, third] = rest
  switch (name) {
    case 'replay':
      return replayOf(values, now)
    case 'lag':
      return { name, format: oneOf('format', textOf(values, 'format'), ['text', 'json']) }
    case 'dead-letters list':
      return listOf(values)
    case 'dead-letters show':
      return {
        name,
        topic: topicOf(first),
        partition: count('the partition', second, Number.MAX_SAFE_INTEGER),
        offset: count('the offset', third, Number.MAX_SAFE_INTEGER),
      }
    case 'dead-letters retry':
      return { name }
    case 'verify':
      return { name, projection: projectionOf(first) }
    case 'rebuild':
      return { name, projection: projectionOf(first), isAnew: values.anew === true }
    default:
      throw misused(`${name} is no command; see switchyard help`)
  }
}

const ARGUMENT_COUNTS: Readonly<Record<string, number>> = { 'dead-letters show': 3, verify: 1, rebuild: 1 }

const split = (args: readonly string[]): { readonly values: Values; readonly positionals: readonly string[] } => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw misused(error instanceof Error ? error.message : String(error))
  }
}

/** Reads a command line; `now` (epoch milliseconds) is what spans count back from. Throws `SETTING_INVALID` that says what to change. */
export const parseCommandLine = (args: readonly string[], now: number): Command => {
  const { values, positionals } = split(args)
  const [group, ...others] = positionals
  if (group === undefined || group === 'help' || values.help === true) return { name: 'help' }
  const isGroup = group === 'dead-letters'
  const name = isGroup ? `${group} ${others[0] ?? 'list'}` : group
  const rest = isGroup ? others.slice(1) : others
  const command = commandOf(name, rest, values, now)
  const foreign = Object.keys(values).find((option) => !KNOWN[name]?.some((known) => known === option))
  if (foreign !== undefined) throw misused(`${name} has no option --${foreign}`)
  if (rest.length > (ARGUMENT_COUNTS[name] ?? 0)) throw misused(`${name} has no argument ${rest.at(-1)}`)
  return command
}
