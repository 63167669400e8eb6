import type { DecisionRefused, OutcomeRefused } from '@switchyard/events'
import type { RouteReply, RouteRequest } from '@switchyard/http'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { type DecisionProblem, problemReply } from './decision-envelope.ts'
import {
  credentialMerchant,
  type FailedStage,
  type RefusalStage,
  readableGateway,
  readablePayment,
  readablePaymentId,
  readableRankingAlgorithm,
  recordedMessage,
  recordedStage,
} from './refused-requests.ts'

/** Records a refusal under a merchant, if one is known, and answers it; what is recorded of the payment stands in the request's body. */
export type Refuse = (request: RouteRequest, problem: DecisionProblem, stage: RefusalStage, merchantId?: string) => RouteReply

/** What is recorded of every refusal. */
type Recorded = Omit<OutcomeRefused['data'], 'gateway'>

const createRefuse =
  (
    { appender, now }: Pick<DecideServiceDependencies, 'appender' | 'now'>,
    failedStage: FailedStage,
    eventOf: (recorded: Recorded, body: unknown, problem: DecisionProblem) => DecisionRefused | OutcomeRefused,
  ): Refuse =>
  (request, problem, stage, merchantId = credentialMerchant(request)) => {
    if (merchantId !== undefined) {
      const { requestId, body } = request
      const recorded: Recorded = {
        merchantId,
        paymentId: readablePaymentId(body),
        requestId,
        at: now(),
        stage: recordedStage(problem, failedStage),
        errorCode: problem.infoCode,
        errorMessage: recordedMessage(problem, stage),
      }
      appender.enqueue(eventOf(recorded, body, problem))
    }
    return problemReply(problem)
  }

/** {@link Refuse} of requests for a decision. */
export const createRefuseDecision = (dependencies: Pick<DecideServiceDependencies, 'appender' | 'now'>): Refuse =>
  createRefuse(dependencies, 'request_failed', (recorded, body, { approach }) => ({
    type: 'DecisionRefused',
    data: { ...recorded, rankingAlgorithm: readableRankingAlgorithm(body), approach, payment: readablePayment(body) },
  }))

/** {@link Refuse} of reports. */
export const createRefuseOutcome = (dependencies: Pick<DecideServiceDependencies, 'appender' | 'now'>): Refuse =>
  createRefuse(dependencies, 'score_update_failed', (recorded, body) => ({
    type: 'OutcomeRefused',
    data: { ...recorded, gateway: readableGateway(body) },
  }))
