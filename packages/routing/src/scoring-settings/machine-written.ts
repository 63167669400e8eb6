import type { SubLevelSettings, SuccessRateSettings } from '@switchyard/events'

/** Mark of entries that the self-tuning job wrote. */
export const AUTOPILOT = 'autopilot'

/** Whether an entry was not written by the self-tuning job. */
export const isByPeople = ({ source }: SubLevelSettings): boolean => source !== AUTOPILOT

/** Settings never change, they are replaced: what is derived from one is kept as long as it lives. */
const byPeople = new WeakMap<SuccessRateSettings, SuccessRateSettings>()

/** The settings without what the self-tuning job wrote. */
export const writtenByPeople = (settings: SuccessRateSettings): SuccessRateSettings => {
  const known = byPeople.get(settings)
  if (known !== undefined) return known
  const { subLevelInputConfig } = settings
  const own = { ...settings, subLevelInputConfig: subLevelInputConfig && subLevelInputConfig.filter(isByPeople) }
  byPeople.set(settings, own)
  return own
}

/** How many entries the self-tuning job wrote. */
export const autopilotEntryCount = (settings: SuccessRateSettings | null): number =>
  (settings?.subLevelInputConfig ?? []).filter((entry) => !isByPeople(entry)).length

const SCALARS = [
  'paymentMethodType',
  'paymentMethod',
  'cardNetwork',
  'cardIsIn',
  'currency',
  'country',
  'authType',
  'source',
  'latencyThresholdSeconds',
  'bucketSize',
  'hedgingPercent',
  'lowerResetFactor',
  'upperResetFactor',
] as const satisfies readonly (keyof SubLevelSettings)[]

const boostsOf = ({ gatewayExtraScore }: SubLevelSettings): string =>
  JSON.stringify(gatewayExtraScore?.map(({ gatewayName, gatewaySigmaFactor }) => [gatewayName, gatewaySigmaFactor]) ?? null)

const isSame = (a: SubLevelSettings, b: SubLevelSettings): boolean =>
  SCALARS.every((field) => a[field] === b[field]) && boostsOf(a) === boostsOf(b)

/**
 * Index of the first sub-level entry that calls itself machine-written without being stored already; -1 when there is
 * none. Clients send such entries back unchanged with the rest, but may not make any (platform.md 17.7).
 */
export const forgedEntryIndex = (sent: SuccessRateSettings, stored: SuccessRateSettings | null): number =>
  (sent.subLevelInputConfig ?? []).findIndex(
    (entry) => entry.source === AUTOPILOT && !(stored?.subLevelInputConfig ?? []).some((known) => isSame(entry, known)),
  )
