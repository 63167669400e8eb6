import type { RouteReply, RouteRequest } from '@switchyard/http'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { type DecisionProblem, problemReply } from './decision-envelope.ts'
import {
  credentialMerchant,
  type RefusalStage,
  readableGateway,
  readablePayment,
  readablePaymentId,
  readableRankingAlgorithm,
  recordedMessage,
} from './refused-requests.ts'

/** Records a refusal under a merchant, if one is known, and answers it; what is recorded of the payment stands in the request's body. */
export type Refuse = (request: RouteRequest, problem: DecisionProblem, stage: RefusalStage, merchantId?: string) => RouteReply

/** {@link Refuse} of requests for a decision. */
export const createRefuseDecision =
  ({ appender, now }: Pick<DecideServiceDependencies, 'appender' | 'now'>): Refuse =>
  (request, problem, stage, merchantId = credentialMerchant(request)) => {
    if (merchantId !== undefined) {
      const { infoCode, approach } = problem
      appender.enqueue({
        type: 'DecisionRefused',
        data: {
          merchantId,
          paymentId: readablePaymentId(request.body),
          requestId: request.requestId,
          at: now(),
          rankingAlgorithm: readableRankingAlgorithm(request.body),
          stage,
          errorCode: infoCode,
          errorMessage: recordedMessage(problem, stage),
          approach,
          payment: readablePayment(request.body),
        },
      })
    }
    return problemReply(problem)
  }

/** {@link Refuse} of reports. */
export const createRefuseOutcome =
  ({ appender, now }: Pick<DecideServiceDependencies, 'appender' | 'now'>): Refuse =>
  (request, problem, stage, merchantId = credentialMerchant(request)) => {
    if (merchantId !== undefined) {
      const { requestId, body } = request
      appender.enqueue({
        type: 'OutcomeRefused',
        data: {
          merchantId,
          paymentId: readablePaymentId(body),
          requestId,
          at: now(),
          stage,
          errorCode: problem.infoCode,
          errorMessage: recordedMessage(problem, stage),
          gateway: readableGateway(body),
        },
      })
    }
    return problemReply(problem)
  }
