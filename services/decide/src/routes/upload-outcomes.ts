import { bodyStreamOf, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { createPlaces } from '@switchyard/kernel'
import * as z from 'zod'
import type { DecideServiceDependencies } from '../dependencies.ts'
import {
  IDEMPOTENCY_KEY_LENGTH_MAX,
  RETRY_AFTER_SECONDS,
  UPLOAD_OUTCOME_BYTES_MAX,
  UPLOADS_IN_FLIGHT_MAX,
  UPLOADS_PER_MERCHANT_MAX,
} from '../limits.ts'
import type { OutcomeEventOf } from '../outcome-event.ts'
import { recordUpload } from '../uploads/record-upload.ts'
import { splitUpload } from '../uploads/split-upload.ts'
import { createRefuseMerchant } from '../uploads/upload-merchants.ts'
import { uploadedLine } from './answer-schemas.ts'
import { problemReply, tooManyUploads, unparsable } from './decision-envelope.ts'
import { outcomeSchema } from './outcome-wire.ts'
import { credentialMerchant, problemOfRefusal } from './refused-requests.ts'

/** What the route works with. */
export interface UploadOutcomesRouteDependencies
  extends Pick<DecideServiceDependencies, 'states' | 'fold' | 'appender' | 'now' | 'readPayments'> {
  readonly outcomeEventOf: OutcomeEventOf
}

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`)
const BAD_KEY = problemReply(unparsable(`the header Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`))
const BUSY: RouteReply = { ...problemReply(tooManyUploads), headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }

/** Null: none was sent. Undefined: it is no key. */
const idempotencyKeyOf = ({ headers }: RouteRequest): string | null | undefined => {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  return typeof key === 'string' && KEY.test(key) ? key : undefined
}

/**
 * `POST /update-gateway-score/batch`: many reports at once, NDJSON or a JSON array, each answered by a line of its own when
 * it is durable. With an `Idempotency-Key` the same upload can be sent again: what was recorded is answered `duplicate`.
 */
export const uploadOutcomesRoute = (dependencies: UploadOutcomesRouteDependencies): Route => {
  const places = createPlaces({ countMax: UPLOADS_IN_FLIGHT_MAX, perOwnerMax: UPLOADS_PER_MERCHANT_MAX })

  const record = (request: RouteRequest, key: string | null): AsyncGenerator<string> => {
    const { requestId, identity } = request
    const refuseMerchant = createRefuseMerchant(dependencies, identity, key !== null)
    return recordUpload({ ...dependencies, requestId, key, refuseMerchant }, splitUpload(bodyStreamOf(request), UPLOAD_OUTCOME_BYTES_MAX))
  }

  return {
    spec: {
      method: 'POST',
      path: '/update-gateway-score/batch',
      access: 'protected',
      permission: 'routing:write',
      tenant: false,
      body: 'stream',
      hot: false,
    },
    api: {
      summary: 'Report many outcomes, one a line; each is answered by a line',
      body: outcomeSchema,
      headers: { 'idempotency-key': z.string().min(1).max(IDEMPOTENCY_KEY_LENGTH_MAX) },
      answer: uploadedLine,
      media: 'application/x-ndjson',
    },
    refuse: (refusal) => problemReply(problemOfRefusal(refusal)),
    handle: (request) => {
      const key = idempotencyKeyOf(request)
      if (key === undefined) return BAD_KEY
      const merchantId = credentialMerchant(request)
      // An answer that waits for its reader takes memory: the place is free when it is gone.
      return places.isFree(merchantId) ? { status: 200, pieces: record(request, key), onSettled: places.take(merchantId) } : BUSY
    },
  }
}
