import { systemTimers, within } from '@switchyard/runtime'
import type { Registry } from 'prom-client'
import { gauge, type LabelledNumber } from './counted.ts'

/** How long a scrape waits for an inbox to tell of itself, milliseconds. */
const LAG_MAX_MS = 2_000

/** Asks how many records an inbox has still to take. */
export type AskLag = () => Promise<number>

/** How far what others write into topics is taken, asked at each scrape; nothing of an inbox that does not answer. */
export const createInboxMetrics = (registry: Registry): ((topic: string, ask: AskLag) => void) => {
  const inboxes = new Map<string, AskLag>()

  const lagOf = async (topic: string, ask: AskLag): Promise<readonly LabelledNumber[]> => {
    const late = (): Error => new Error('the inbox does not answer')
    const value = await within(systemTimers, ask(), LAG_MAX_MS, late).catch(() => undefined)
    return value === undefined ? [] : [{ labels: { topic }, value }]
  }
  gauge({
    name: 'inbox_lag_records',
    help: 'Records of a topic that others write which are still to be taken, by whichever process',
    labelNames: ['topic'],
    registers: [registry],
    read: async () => (await Promise.all([...inboxes].map(([topic, ask]) => lagOf(topic, ask)))).flat(),
  })
  return (topic, ask) => void inboxes.set(topic, ask)
}
