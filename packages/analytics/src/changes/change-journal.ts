import { type ConfigEvent, EVENT_CATALOGUE } from '@switchyard/events'
import type { DocumentProjection } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { CHANGED_FIELDS_MAX } from '../limits.ts'
import { type Difference, differencesOf, SECRET_NAME } from './differences.ts'
import type { RecordedConfiguration } from './recorded-configuration.ts'

/** Who changed what, and when. */
export interface Change {
  /** Id of the event. */
  readonly id: string
  /** The merchant; of what is a person's alone, the user's id. */
  readonly owner: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Name of the event, for example `RoutingAlgorithmActivated`. */
  readonly change: string
  /** Kind of what was changed, for example `routing-algorithms`. */
  readonly subject: string
  /** Which one of the kind; null where there is one alone. */
  readonly subjectId: string | null
  /** `user:<id>`, `key:<id>`, `admin` or `anonymous`; null when it is not known. */
  readonly actor: string | null
  readonly requestId: string | null
  readonly differences: readonly Difference[]
}

const textMember = (data: object, name: string): string | null => {
  const value: unknown = Reflect.get(data, name)
  return typeof value === 'string' ? value : null
}

/** What tells the members of a kind apart where its aggregate is the whole kind. */
const ID_FIELDS: readonly string[] = ['algorithmId', 'feature', 'profileId', 'userId']

const subjectIdOf = ({ type, data }: ConfigEvent): string | null => {
  const { idField } = EVENT_CATALOGUE[type].aggregate
  const names = idField === undefined || SECRET_NAME.test(idField) ? ID_FIELDS : [idField, ...ID_FIELDS]
  const name = names.find((field) => textMember(data, field) !== null)
  return name === undefined ? null : textMember(data, name)
}

const ownerOf = ({ event, effects }: RecordedConfiguration): string => textMember(event.data, 'merchantId') ?? effects.key

/** What flags and runs say by themselves. */
const REPEATED = 'success-rate-scoring.tuning'

/** A state as it was: one that belonged to another merchant, as accounts at connectors can, is none of this one's business. */
const ownBefore = (before: unknown, owner: string): unknown => {
  if (typeof before !== 'object' || before === null) return {}
  const isForeign = (part: unknown): boolean =>
    typeof part === 'object' && part !== null && (textMember(part, 'merchantId') ?? owner) !== owner
  return Object.values(before).some(isForeign) ? {} : before
}

const changeOf = (record: RecordedConfiguration): Change => {
  const { event, effects, eventId, actor, requestId } = record
  return {
    id: eventId,
    owner: ownerOf(record),
    at: event.data.at,
    change: event.type,
    subject: EVENT_CATALOGUE[event.type].aggregate.kind,
    subjectId: subjectIdOf(event),
    actor,
    requestId,
    differences: effects.states
      .flatMap(({ slice, before, after }) => differencesOf(slice, ownBefore(before, ownerOf(record)), after))
      .filter(({ field }) => !field.startsWith(REPEATED))
      .slice(0, CHANGED_FIELDS_MAX),
  }
}

/** Before anything is known of a change. */
export const NOTHING: Change = {
  id: '',
  owner: '',
  at: 0,
  change: '',
  subject: '',
  subjectId: null,
  actor: null,
  requestId: null,
  differences: [],
}

/** A run of the self-tuning that wrote nothing changed nothing. */
const isChange = ({ type, data }: ConfigEvent): boolean => type !== 'ScoringCalibrated' || data.settings !== null

/** Every change of configuration, one document each, by owner and time. */
export const changeJournal: DocumentProjection<Change, RecordedConfiguration> = {
  name: 'change-journal-v3',
  keysOf: (record) => (isChange(record.event) ? [[keyPart(ownerOf(record)), record.event.data.at, keyPart(record.eventId)]] : []),
  initialView: () => NOTHING,
  project: (_view, record) => changeOf(record),
}
