import { EVENT_CATALOGUE } from '@switchyard/events'
import { TOPICS } from '@switchyard/kernel'
import { routeTable } from '../../infra/gateway/route-table.mjs'
import { call } from './client.ts'

/** One line of Prometheus' text. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const labelsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))

/** What a process tells at its port for metrics, whose address stands in what it printed. */
export const scrape = async (output: string): Promise<readonly Series[]> => {
  const url = /metrics at (http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(output)?.[1] ?? ''
  const { text } = await call(url, 'GET /metrics')
  return [...text.matchAll(/^([a-z_]\w*)(\{.*\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: labelsIn(labels),
    value: Number(value),
  }))
}

/** The sum of the series of a name that stand under these labels; undefined: there is none. */
export const total = (series: readonly Series[], name: string, labels: Series['labels'] = {}): number | undefined => {
  const found = series.filter((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}

const endpoints = new Set(['none', ...routeTable.flatMap(({ specs }) => specs.map(({ method, path }) => `${method} ${path}`))])
const subjects = new Set(Object.values(EVENT_CATALOGUE).map(({ subject }) => subject))
const topics = new Set<string>([...TOPICS, 'outcomes-inbound', 'webhook-events-inbound'])

/** What an endpoint for webhooks may be. */
const ENDPOINT_STATUSES = ['active', 'disabled_by_merchant', 'disabled_by_failures', 'disabled_gone']

/** The labels of our own series, and what may stand there: few values, none of them a client's. */
const LABELS: Readonly<Record<string, (value: string) => boolean>> = {
  endpoint: (value) => endpoints.has(value) || /^GET \/health(\/\w+)?$/.test(value),
  status: (value) => ['success', 'failure', 'SUCCESS', 'DEFAULT_SELECTION', ...ENDPOINT_STATUSES].includes(value),
  code: (value) => /^[1-5]\d\d$/.test(value),
  lane: (value) => ['new', 'retry'].includes(value),
  kind: (value) => ['scheduled', 'manual'].includes(value),
  outcome: (value) => /^([1-5]xx|[a-z_]{1,40})$/.test(value),
  approach: (value) => /^[A-Z][A-Z0-9_]{1,40}$/.test(value),
  topic: (value) => topics.has(value),
  type: (value) => subjects.has(value),
  le: (value) => value === '+Inf' || Number(value) > 0,
}

/** Labels that hold what they should not. */
export const strangeLabels = (series: readonly Series[]): readonly string[] =>
  series
    .filter(({ name }) => !/^(nodejs|process)_/.test(name))
    .flatMap(({ name, labels }) => Object.entries(labels).map(([label, value]) => [name, label, value] as const))
    .filter(([, label, value]) => LABELS[label]?.(value) !== true)
    .map((place) => place.join(' '))
