import type { RankingAlgorithm } from '@switchyard/events'
import { type DebitMetadata, keptAuthType, type PaymentDetails } from '@switchyard/routing'
import { cardIsinOf } from './card-isin.ts'
import { type DecisionWire, decisionSchema, type PaymentWire } from './decision-wire.ts'
import { type ParsedBody, parseBody } from './parse-body.ts'
import { parseDebitMetadata } from './parse-debit-metadata.ts'
import { isPlainDecision } from './plain-decision.ts'
import { RecentLists } from './recent-lists.ts'
import { RecentTexts } from './recent-texts.ts'

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

/** What payments have in common is the same object in each: it lives on in events that wait for the log, and is compared again and again. */
const texts = new RecentTexts()
const lists = new RecentLists()

const orNull = <Value>(value: Value | null | undefined): Value | null => value ?? null
const textOrNull = <Text extends string>(text: Text | null | undefined): Text | null =>
  text === null || text === undefined ? null : texts.of(text)

const paymentOf = (info: PaymentWire): PaymentDetails => ({
  paymentId: info.paymentId,
  amount: info.amount,
  currency: texts.of(info.currency),
  country: textOrNull(info.country),
  udfs: orNull(info.udfs),
  paymentType: texts.of(info.paymentType),
  paymentMethodType: texts.of(info.paymentMethodType),
  paymentMethod: texts.of(info.paymentMethod),
  cardType: textOrNull(info.cardType),
  cardNetwork: textOrNull(info.cardSwitchProvider),
  cardIsIn: textOrNull(cardIsinOf(info)),
  authType: textOrNull(keptAuthType(info.authType)),
  preferredGateway: textOrNull(info.preferredGateway),
  cardProgram: textOrNull(info.cardProgram),
  cardIssuerCountry: textOrNull(info.cardIssuerCountry),
  channel: textOrNull(info.channel),
})

const asksForNetworks = ({ rankingAlgorithm }: DecisionWire): boolean =>
  rankingAlgorithm === 'NTW_BASED_ROUTING' || rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING'

/** Reads a decision request (decide.md 2.1 and 2.2). Unknown members are ignored; of a card number only the first digits stay. */
export const parseDecision = (body: unknown): ParsedBody<DecisionBody> => {
  const { value, problem } = isPlainDecision(body) ? { value: body } : parseBody(decisionSchema, body)
  if (problem !== undefined) return { problem }
  return {
    value: {
      merchantId: texts.of(value.merchantId),
      rankingAlgorithm: textOrNull(value.rankingAlgorithm),
      candidates: lists.of(value.eligibleGatewayList ?? []),
      eliminationRequested: value.eliminationEnabled ?? null,
      multiObjectiveRequested: value.enableMultiObjective ?? null,
      payment: paymentOf(value.paymentInfo),
      debit: asksForNetworks(value) ? parseDebitMetadata(value.paymentInfo.metadata) : null,
    },
  }
}
