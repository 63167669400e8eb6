import type { SuccessRateSettings } from '@switchyard/events'
import {
  createEliminationResolver,
  createKnobResolver,
  decideGateway,
  SHIPPED_ELIMINATION_RULES,
  SHIPPED_SCORING_DEFAULTS,
} from '@switchyard/routing'
import { decisionAnswer } from './routes/decision-answer.ts'
import { decisionSchema } from './routes/decision-wire.ts'
import { parseDecision } from './routes/parse-decision.ts'

/** An entry of a window; `owner` is the payment that it stands for, null where nobody reported it. */
interface Entry {
  readonly owner: string | null
  readonly success: boolean
}

/** What a decision was, as far as reports are held against it. */
interface Decided {
  readonly candidates: readonly string[]
  readonly dimension: string
}

/** The hot path said plainly: schemas, lists and objects, every score added up anew. The fast one is held against it. */
export interface ReferenceDecider {
  /** The answer to a decision request by success rates. */
  readonly decide: (body: object) => object
  /** Takes a report of what came of a payment. */
  readonly report: (paymentId: string, gateway: string, success: boolean) => void
}

const windowName = (dimension: string, gateway: string): string => JSON.stringify([dimension, gateway])
const dimensionName = ({
  paymentMethodType,
  paymentMethod,
}: {
  readonly paymentMethodType: string
  readonly paymentMethod: string
}): string => JSON.stringify([paymentMethodType.toUpperCase(), paymentMethod])

/** A {@link ReferenceDecider} of a merchant with these settings, among them the length of windows. */
export const createReferenceDecider = (settings: SuccessRateSettings & { readonly defaultBucketSize: number }): ReferenceDecider => {
  const { defaultBucketSize: bucketSize } = settings
  /** Newest first. */
  const windows = new Map<string, readonly Entry[]>()
  const decisions = new Map<string, Decided>()
  const unreported: readonly Entry[] = Array.from({ length: bucketSize }, () => ({ owner: null, success: true }))
  const entriesOf = (dimension: string, gateway: string): readonly Entry[] => windows.get(windowName(dimension, gateway)) ?? unreported
  const reported = new Map<string, boolean>()

  return {
    decide: (body) => {
      decisionSchema.parse(body)
      const { value } = parseDecision(body)
      if (value === undefined) throw new Error('the schema takes the body, and so does the parser')
      const dimension = dimensionName(value.payment)
      const scoresOf = ({ gateways }: { readonly gateways: readonly string[] }): readonly number[] =>
        gateways.map((gateway) => entriesOf(dimension, gateway).filter(({ success }) => success).length / bucketSize)
      const result = decideGateway(
        { ...value, requestId: 'r_1', at: 1_000 },
        {
          debitRouting: { enabled: false },
          features: { registered: true, enabled: [] },
          successRateScoring: { settings },
          scoringDimensions: { chosen: null },
          eliminationSettings: { settings: null },
          resolveKnobs: createKnobResolver(SHIPPED_SCORING_DEFAULTS),
          resolveElimination: createEliminationResolver(SHIPPED_ELIMINATION_RULES),
          eliminationRules: SHIPPED_ELIMINATION_RULES,
          windows: { scoresOf, downAmong: () => [] },
          priorityPlan: () => {
            throw new Error('success rates ask for no priority list')
          },
          routeByNetwork: () => ({ problem: 'no networks here' }),
          weighCosts: () => {
            throw new Error('no costs here')
          },
          experiments: { live: () => undefined, byAlgorithm: () => ({ exclusion: 'ALGORITHM_MISSING' }) },
        },
      )
      if (!result.decided) throw new Error('there are candidates')
      decisions.set(value.payment.paymentId, { candidates: result.decision.candidates, dimension })
      return decisionAnswer(result.decision, value.payment, 0)
    },
    report: (paymentId, gateway, success) => {
      const decided = decisions.get(paymentId)
      if (decided === undefined || !decided.candidates.includes(gateway)) return
      const owner = windowName(paymentId, gateway)
      const before = reported.get(owner)
      const entries = entriesOf(decided.dimension, gateway)
      // The first report of a payment and gateway counts; a success behind a failure turns it, where it still stands.
      if (before === undefined) windows.set(windowName(decided.dimension, gateway), [{ owner, success }, ...entries].slice(0, bucketSize))
      else if (!before && success) {
        const turned = entries.map((entry) => (entry.owner === owner ? { owner, success: true } : entry))
        windows.set(windowName(decided.dimension, gateway), turned)
      } else return
      reported.set(owner, success)
    },
  }
}
