import * as z from 'zod'

/** A day. */
const SECONDS_MAX = 86_400
const COUNT_MAX = 1_000_000
/** The longest window there is. */
const BUCKET_SIZE_MAX = 10_000

/** How the self-tuning runs (analytics.md 7.1). */
export interface TuningSettings {
  /** How often a merchant has a run, milliseconds. */
  readonly intervalMs: number
  readonly rules: {
    readonly lookbackMs: number
    readonly horizonMs: number
    readonly paymentCountMin: number
    readonly bucketSizeMin: number
    readonly bucketSizeMax: number
    readonly hedgingPercentMax: number
  }
}

/** A whole number; one below 1 counts as not set. */
const counted = (maximum: number) =>
  z
    .string()
    .regex(/^-?\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= maximum, `must be at most ${maximum}`)
    .transform((value) => (value > 0 ? value : undefined))
    .optional()

/** One row a setting; the last one is a shorter name of the first, which comes before it. */
const schema = z.object({
  SWITCHYARD_SR_AUTO_CALIBRATION__INTERVAL_SECS: counted(SECONDS_MAX),
  SWITCHYARD_SR_AUTO_CALIBRATION__LOOKBACK_SECS: counted(SECONDS_MAX),
  SWITCHYARD_SR_AUTO_CALIBRATION__REACTION_HORIZON_SECS: counted(SECONDS_MAX),
  SWITCHYARD_SR_AUTO_CALIBRATION__MIN_VOLUME: counted(COUNT_MAX),
  SWITCHYARD_SR_AUTO_CALIBRATION__MIN_BUCKET_SIZE: counted(BUCKET_SIZE_MAX),
  SWITCHYARD_SR_AUTO_CALIBRATION__MAX_BUCKET_SIZE: counted(BUCKET_SIZE_MAX),
  SWITCHYARD_SR_AUTO_CALIBRATION__MAX_HEDGING_PERCENT: counted(100),
  SR_AUTO_CALIBRATION_INTERVAL_SECS: counted(SECONDS_MAX),
})

const INTERVAL_SECONDS_DEFAULT = 900
const LOOKBACK_SECONDS_DEFAULT = 3_600
const BUCKET_SIZE_MIN_DEFAULT = 100
const BUCKET_SIZE_MAX_DEFAULT = 2_000

const settingsOf = (rows: z.infer<typeof schema>): TuningSettings => {
  const lookbackSeconds = rows.SWITCHYARD_SR_AUTO_CALIBRATION__LOOKBACK_SECS ?? LOOKBACK_SECONDS_DEFAULT
  const intervalSeconds = rows.SWITCHYARD_SR_AUTO_CALIBRATION__INTERVAL_SECS ?? rows.SR_AUTO_CALIBRATION_INTERVAL_SECS
  return {
    intervalMs: (intervalSeconds ?? INTERVAL_SECONDS_DEFAULT) * 1_000,
    rules: {
      lookbackMs: lookbackSeconds * 1_000,
      horizonMs: (rows.SWITCHYARD_SR_AUTO_CALIBRATION__REACTION_HORIZON_SECS ?? lookbackSeconds) * 1_000,
      paymentCountMin: rows.SWITCHYARD_SR_AUTO_CALIBRATION__MIN_VOLUME ?? 100,
      bucketSizeMin: rows.SWITCHYARD_SR_AUTO_CALIBRATION__MIN_BUCKET_SIZE ?? BUCKET_SIZE_MIN_DEFAULT,
      bucketSizeMax: rows.SWITCHYARD_SR_AUTO_CALIBRATION__MAX_BUCKET_SIZE ?? BUCKET_SIZE_MAX_DEFAULT,
      hedgingPercentMax: rows.SWITCHYARD_SR_AUTO_CALIBRATION__MAX_HEDGING_PERCENT ?? 30,
    },
  }
}

/** What only shows when settings stand side by side. */
const contradictions = ({ rules }: TuningSettings): readonly string[] =>
  rules.bucketSizeMin > rules.bucketSizeMax
    ? [
        'SWITCHYARD_SR_AUTO_CALIBRATION__MIN_BUCKET_SIZE: must not be above SWITCHYARD_SR_AUTO_CALIBRATION__MAX_BUCKET_SIZE ' +
          `(${BUCKET_SIZE_MIN_DEFAULT} and ${BUCKET_SIZE_MAX_DEFAULT} where they are not set)`,
      ]
    : []

/** Whether a name is one of these settings. */
export const isTuningSetting = (name: string): boolean => Object.hasOwn(schema.shape, name)

/** Reads these settings; problems name them, never a value. */
export const parseTuningSettings = (
  given: Readonly<Record<string, string | undefined>>,
):
  | { readonly problems: readonly string[]; readonly settings?: never }
  | { readonly problems: readonly []; readonly settings: { readonly tuning: TuningSettings } } => {
  const result = schema.safeParse(given)
  if (!result.success) return { problems: result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const tuning = settingsOf(result.data)
  const problems = contradictions(tuning)
  return problems.length > 0 ? { problems } : { problems: [], settings: { tuning } }
}
