import type { z } from 'zod'

/**
 * What a route takes and gives beyond what its row says. The API's description is made of both, so it can't promise another
 * body than the handler parses.
 */
export interface RouteApi {
  /** What the call does, in one line. */
  readonly summary: string
  /** The schema that the handler parses the body with; of a streamed body, of one line of it. */
  readonly body?: z.ZodType
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  /** Headers of its own by name; none is required. */
  readonly headers?: Readonly<Record<string, z.ZodType>>
  /** The body of the answer when all went well, of one line when it comes in lines; absent: it has none. */
  readonly answer?: z.ZodType
  /** How the answer is written; default JSON. */
  readonly media?: ApiMedia
  /** The status when all went well; default 200. */
  readonly status?: 202 | 204
  /** `decisions`: its refusals may come in their envelope too, as those of a route that forms its refusals itself do unless it says `platform`. */
  readonly refusesLike?: 'decisions' | 'platform'
  /** What the handler refuses by itself: when, by status. What the gate and the body's parsing refuse follows from the row. */
  readonly refusals?: Readonly<Record<number, string>>
  /** Bodies of refusals that come in no envelope, by status. */
  readonly refusalBodies?: Readonly<Record<number, z.ZodType>>
}

/** Content types of answers. */
export type ApiMedia = 'application/json' | 'text/plain' | 'text/html' | 'application/x-ndjson'
