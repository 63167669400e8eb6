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

const orNull = <Value>(value: Value | null | undefined): Value | null => value ?? null

const paymentOf = (info: PaymentWire): PaymentDetails => ({
  paymentId: info.paymentId,
  amount: info.amount,
  currency: info.currency,
  country: orNull(info.country),
  udfs: orNull(info.udfs),
  paymentType: info.paymentType,
  paymentMethodType: info.paymentMethodType,
  paymentMethod: info.paymentMethod,
  cardType: orNull(info.cardType),
  cardNetwork: orNull(info.cardSwitchProvider),
  cardIsIn: orNull(info.cardIsin?.slice(0, CARD_ISIN_LENGTH_MAX)),
  authType: info.authType === 'THREE_DS2' ? 'THREE_DS_2' : orNull(info.authType),
  preferredGateway: orNull(info.preferredGateway),
  cardProgram: orNull(info.cardProgram),
  cardIssuerCountry: orNull(info.cardIssuerCountry),
  channel: orNull(info.channel),
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
