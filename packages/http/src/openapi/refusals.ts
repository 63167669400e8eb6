import { USUAL_STATUSES } from './statuses.ts'

/** A part of the document. */
export type ApiObject = Readonly<Record<string, unknown>>

/** In which forms a route refuses: the platform's envelope, that or the one of decisions, or the one of `/events`. */
export type Envelopes = (typeof ENVELOPES)[number]

const ENVELOPES = ['platform', 'either', 'events'] as const

/** One refusal of a route. */
export interface DescribedRefusal {
  readonly status: number
  readonly when: string
  readonly envelopes: Envelopes
  /** The schema of what the handler refuses with instead; the gate keeps to the envelopes. */
  readonly body?: ApiObject
}

const ENVELOPE_SCHEMAS: Readonly<Record<Envelopes, ApiObject>> = {
  platform: { $ref: '#/components/schemas/PlatformError' },
  events: { $ref: '#/components/schemas/EventsError' },
  either: { anyOf: [{ $ref: '#/components/schemas/PlatformError' }, { $ref: '#/components/schemas/DecisionError' }] },
}

const RETRIED: ReadonlySet<number> = new Set([429, 503])

const inFull = ({ status, when, envelopes, body }: DescribedRefusal): ApiObject => ({
  description: when,
  headers: {
    'x-request-id': { $ref: '#/components/headers/RequestId' },
    ...(RETRIED.has(status) ? { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } : {}),
  },
  content: {
    'application/json': { schema: body === undefined ? ENVELOPE_SCHEMAS[envelopes] : { anyOf: [ENVELOPE_SCHEMAS[envelopes], body] } },
  },
})

const nameOf = (index: number, envelopes: Envelopes): string => `${envelopes}_${USUAL_STATUSES[index]?.status ?? 0}_${index}`

/** A refusal by its reference when it is a usual one of its status, else in full. */
export const refusalOf = (refusal: DescribedRefusal): ApiObject => {
  const index = USUAL_STATUSES.findIndex(({ status, when }) => status === refusal.status && when === refusal.when)
  return index === -1 ? inFull(refusal) : { $ref: `#/components/responses/${nameOf(index, refusal.envelopes)}` }
}

/** What {@link refusalOf} refers to, for `components.responses`. */
export const usualRefusals = (): ApiObject =>
  Object.fromEntries(
    ENVELOPES.flatMap((envelopes) => USUAL_STATUSES.map((usual, index) => [nameOf(index, envelopes), inFull({ ...usual, envelopes })])),
  )
