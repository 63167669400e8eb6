import { merchants } from '@switchyard/access'
import type { GatewayErrorClass, OutcomeRecorded, UploadLine } from '@switchyard/events'
import { featureFlags, type GatewayErrorTable, hasFeature, isPayersError, statusClassOf } from '@switchyard/routing'
import type { DecideServiceDependencies } from './dependencies.ts'
import type { OutcomeBody } from './routes/parse-outcome.ts'

/** What an event says beside the report itself. */
interface OutcomeOrigin {
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Null for a report of its own. */
  readonly upload: UploadLine | null
}

/** The event of a report, with all that the fold needs: what the error table and the merchant's filter say of its error. */
export type OutcomeEventOf = (outcome: OutcomeBody, origin: OutcomeOrigin) => OutcomeRecorded

/** {@link OutcomeEventOf} by the deployment's table and the flags of the merchants. */
export const createOutcomeEventOf = (
  states: DecideServiceDependencies['states'],
  gatewayErrors: Pick<GatewayErrorTable, 'classify'>,
): OutcomeEventOf => {
  const isExcused = ({ merchantId, enforceFailure }: OutcomeBody, errorClass: GatewayErrorClass, isSuccess: boolean): boolean =>
    (enforceFailure || !isSuccess) &&
    isPayersError(errorClass) &&
    hasFeature(states.stateOf(featureFlags, merchantId), 'gsm-scoring-filter')

  return (outcome, { requestId, at, upload }) => {
    const statusClass = statusClassOf(outcome.status)
    const errorClass = outcome.error === null ? null : (gatewayErrors.classify(outcome.gateway, outcome.error) ?? null)
    const excused = errorClass !== null && isExcused(outcome, errorClass, statusClass === 'SUCCESS')
    const { merchantId, paymentId, gateway, status, gatewayReferenceId, enforceFailure, gatewayLatencyMs, smartRetry, error } = outcome
    return {
      type: 'OutcomeRecorded',
      // Named one by one: spreading the report took as long as folding it.
      data: {
        merchantId,
        paymentId,
        requestId,
        at,
        gateway,
        status,
        statusClass,
        gatewayReferenceId,
        enforceFailure,
        gatewayLatencyMs,
        smartRetry,
        error,
        errorClass,
        excused,
        upload,
        merchantRegistrationCount: states.stateOf(merchants, merchantId).registrationCount,
      },
    }
  }
}
