import type { Refusal } from '@switchyard/http'
import { type DecisionProblem, unparsablePayload } from '../decision-envelope.ts'
import type { Refuse } from '../refuse.ts'
import { problemOfRefusal } from '../refused-requests.ts'

/** What the gate refused, in the words of the older interface. */
export const legacyProblemOf = (refusal: Refusal): DecisionProblem =>
  refusal.code === 'BODY_UNREADABLE' ? unparsablePayload(refusal.detail) : problemOfRefusal(refusal)

/** {@link Refuse} of a body of the older interface: what is recorded of it stands under the names of the newer one. */
export const refuseRenamed =
  (refuse: Refuse, renamed: (body: unknown) => object): Refuse =>
  (request, problem, stage) =>
    refuse({ ...request, body: renamed(request.body) }, problem, stage)
