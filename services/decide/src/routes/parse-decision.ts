import type { RankingAlgorithm } from '@switchyard/events'
import { CARD_ISIN_LENGTH_MAX, type DebitMetadata, type PaymentDetails } from '@switchyard/routing'
import { type DecisionWire, decisionSchema, type PaymentWire } from './decision-wire.ts'
import { type ParsedBody, parseBody } from './parse-body.ts'
import { parseDebitMetadata } from './parse-debit-metadata.ts'
import { isPlainDecision } from './plain-decision.ts'

/** What the body of a decision request says. */
export interface DecisionBody {
  readonly merchantId: string
  readonly rankingAlgorithm: RankingAlgorithm | null
  readonly candidates: readonly string[]
  readonly eliminationRequested: boolean | null
  readonly multiObjectiveRequested: boolean | null
  readonly payment: PaymentDetails
  /** Null when the networks are not asked for. */
  readonly debit: DebitMetadata | null
}

const paymentOf = (info: PaymentWire): PaymentDetails => ({
  paymentId: info.paymentId,
  amount: info.amount,
  currency: info.currency,
  country: info.country ?? null,
  udfs: info.udfs ?? null,
  paymentType: info.paymentType,
  paymentMethodType: info.paymentMethodType,
  paymentMethod: info.paymentMethod,
  cardType: info.cardType ?? null,
  cardNetwork: info.cardSwitchProvider ?? null,
  cardIsIn: info.cardIsin?.slice(0, CARD_ISIN_LENGTH_MAX) ?? null,
  authType: info.authType === 'THREE_DS2' ? 'THREE_DS_2' : (info.authType ?? null),
  preferredGateway: info.preferredGateway ?? null,
  cardProgram: info.cardProgram ?? null,
  cardIssuerCountry: info.cardIssuerCountry ?? null,
  channel: info.channel ?? null,
})

const asksForNetworks = ({ rankingAlgorithm }: DecisionWire): boolean =>
  rankingAlgorithm === 'NTW_BASED_ROUTING' || rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING'

/** Reads a decision request (decide.md 2.1 and 2.2). Unknown members are ignored; of a card number only the first digits stay. */
export const parseDecision = (body: unknown): ParsedBody<DecisionBody> => {
  const { value, problem } = isPlainDecision(body) ? { value: body } : parseBody(decisionSchema, body)
  if (problem !== undefined) return { problem }
  return {
    value: {
      merchantId: value.merchantId,
      rankingAlgorithm: value.rankingAlgorithm ?? null,
      candidates: value.eligibleGatewayList ?? [],
      eliminationRequested: value.eliminationEnabled ?? null,
      multiObjectiveRequested: value.enableMultiObjective ?? null,
      payment: paymentOf(value.paymentInfo),
      debit: asksForNetworks(value) ? parseDebitMetadata(value.paymentInfo.metadata) : null,
    },
  }
}
