import type { ScoringDimensionsChosen } from '@switchyard/events'
import { accept, assertNever, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'

/** Payment attributes that can tell success-rate windows apart (platform.md 8.5). */
export const DIMENSION_FIELDS = ['currency', 'country', 'auth_type', 'card_is_in', 'card_network'] as const

/** Largest position of a user-defined field, from 0. */
const UDF_POSITION_MAX = 99
/** Most fields, and most user-defined fields, of a choice. */
const DIMENSION_COUNT_MAX = 20

/** What a merchant wants its windows told apart by, beside payment type, method type and method. */
interface DimensionChoice {
  /** Positions of user-defined fields, from 0. */
  readonly udfs: readonly number[]
  /** Names of {@link DIMENSION_FIELDS}; null when not given. */
  readonly fields: readonly string[] | null
}

/** A choice that is in force. */
export interface ChosenDimensions extends DimensionChoice {
  /** Number of the choice that its windows began with, from 1; 0 while nothing tells windows apart that did not before. */
  readonly version: number
}

/** Replaces the choice; time in epoch milliseconds. */
export interface ScoringDimensionsCommand extends DimensionChoice {
  readonly type: 'ChooseScoringDimensions'
  readonly merchantId: string
  readonly at: number
}

/** What the choice of a merchant follows from. */
export type ScoringDimensionsEvent = MerchantLife | ScoringDimensionsChosen

type OwnRejection =
  | { readonly code: 'DIMENSIONS_UNKNOWN'; readonly names: readonly string[] }
  | { readonly code: 'SETTING_OUT_OF_RANGE'; readonly field: string; readonly expected: string }

/** Why a choice is not taken. */
export type ScoringDimensionsRejection = MerchantNotFound | OwnRejection

/** The choice of one merchant; null until there is one. */
export interface ScoringDimensions {
  readonly registered: boolean
  readonly chosen: ChosenDimensions | null
}

const initialState: ScoringDimensions = { registered: false, chosen: null }

const isDimensionField = (name: string): boolean => DIMENSION_FIELDS.some((field) => field === name)
const isUdfPosition = (position: number): boolean => Number.isInteger(position) && position >= 0 && position <= UDF_POSITION_MAX

const problemOf = ({ udfs, fields }: DimensionChoice): OwnRejection | undefined => {
  const names = (fields ?? []).filter((name) => !isDimensionField(name))
  if (names.length > 0) return { code: 'DIMENSIONS_UNKNOWN', names }
  const expected = `a list of at most ${DIMENSION_COUNT_MAX} entries`
  if ((fields ?? []).length > DIMENSION_COUNT_MAX) return { code: 'SETTING_OUT_OF_RANGE', field: 'paymentInfo.fields', expected }
  if (udfs.length > DIMENSION_COUNT_MAX) return { code: 'SETTING_OUT_OF_RANGE', field: 'paymentInfo.udfs', expected }
  const wrong = udfs.findIndex((position) => !isUdfPosition(position))
  if (wrong < 0) return undefined
  return { code: 'SETTING_OUT_OF_RANGE', field: `paymentInfo.udfs[${wrong}]`, expected: `a whole number from 0 to ${UDF_POSITION_MAX}` }
}

const isSame = (a: DimensionChoice, b: DimensionChoice | null): boolean =>
  b !== null && a.udfs.join() === b.udfs.join() && a.fields?.join() === b.fields?.join()

/** Whether windows are told apart by the same: fields in another order, or twice, tell nothing else. */
const tellsTheSame = (a: DimensionChoice, b: DimensionChoice | null): boolean => {
  const [fields, others] = [new Set(a.fields), new Set(b?.fields)]
  return a.udfs.join() === (b?.udfs ?? []).join() && fields.size === others.size && [...fields].every((field) => others.has(field))
}

/** The extra dimensions of a merchant's success-rate windows (decide.md 5.1). */
export const scoringDimensions: Slice<ScoringDimensionsCommand, ScoringDimensions, ScoringDimensionsEvent, ScoringDimensionsRejection> = {
  name: 'scoring-dimensions',
  version: 2,
  folds: ['MerchantRegistered', 'MerchantClosed', 'ScoringDimensionsChosen'],
  conflicts: 'by-version',
  ...ofMerchant<ScoringDimensionsCommand, ScoringDimensions, ScoringDimensionsChosen, OwnRejection>({
    initialState,

    decide: (command, { chosen }) => {
      const problem = problemOf(command)
      if (problem) return reject(problem)
      const { merchantId, udfs, fields, at } = command
      // The same choice again keeps its windows.
      return isSame(command, chosen) ? accept() : accept({ type: 'ScoringDimensionsChosen', data: { merchantId, udfs, fields, at } })
    },

    evolve: (state, event) => {
      switch (event.type) {
        case 'ScoringDimensionsChosen': {
          const { udfs, fields } = event.data
          const version = state.chosen?.version ?? 0
          return { ...state, chosen: { udfs, fields, version: tellsTheSame(event.data, state.chosen) ? version : version + 1 } }
        }
        default:
          return assertNever(event.type)
      }
    },
  }),
}
