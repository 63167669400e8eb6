import * as z from 'zod'
import { itemsOf } from './setting-values.ts'

/** An hour. */
const POLL_SECONDS_DEFAULT = 3_600
const POLL_SECONDS_MAX = 86_400

/** How settlement reports come in. */
export interface ReportSettings {
  /** Where files are kept until they are taken in; undefined: in the data folder, or else in the system's one for such files. */
  readonly spoolDir: string | undefined
  /** Where `<connector>_report.csv` lies for those who want to try it out; undefined: nowhere. */
  readonly samplesDir: string | undefined
  /** How often connectors are asked for new reports, seconds; 0: never. */
  readonly pollSeconds: number
  /** Hosts that reports are fetched from beside those of the connectors, and all names below them. */
  readonly hosts: readonly string[]
}

const HOST = /^[a-z0-9.-]{1,253}$/

const schema = z.object({
  SWITCHYARD_REPORT_SPOOL_DIR: z.string().optional(),
  SWITCHYARD_REPORT_SAMPLES_DIR: z.string().optional(),
  SWITCHYARD_REPORT_POLL_SECONDS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number')
    .transform(Number)
    .refine((seconds) => seconds <= POLL_SECONDS_MAX, `must be from 0 to ${POLL_SECONDS_MAX}`)
    .default(POLL_SECONDS_DEFAULT),
  SWITCHYARD_REPORT_HOSTS: z
    .string()
    .transform((text) => itemsOf(text.toLowerCase()))
    .refine((hosts) => hosts.every((host) => HOST.test(host)), 'must be host names separated by commas')
    .default([]),
})

/** Whether a name is one of these settings. */
export const isReportSetting = (name: string): boolean => Object.hasOwn(schema.shape, name)

/** Reads these settings; problems name them, never a value. */
export const parseReportSettings = (
  given: Readonly<Record<string, string | undefined>>,
):
  | { readonly problems: readonly string[]; readonly settings?: never }
  | { readonly problems: readonly []; readonly settings: { readonly reports: ReportSettings } } => {
  const { success, data, error } = schema.safeParse(given)
  if (!success) return { problems: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const reports = {
    spoolDir: data.SWITCHYARD_REPORT_SPOOL_DIR,
    samplesDir: data.SWITCHYARD_REPORT_SAMPLES_DIR,
    pollSeconds: data.SWITCHYARD_REPORT_POLL_SECONDS,
    hosts: data.SWITCHYARD_REPORT_HOSTS,
  }
  return { problems: [], settings: { reports } }
}
