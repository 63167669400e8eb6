import { assert } from '@switchyard/kernel'
import type { EntryOf } from './decision-facts.ts'

/** Why a gateway was chosen, for programs and for people. */
export interface WinReason {
  readonly reason: string
  readonly inWords: string
}

type Decision = EntryOf<'decision'>

interface Step {
  readonly reason: string
  readonly settled: (decision: Decision) => boolean
  readonly words: (decision: Decision) => string
}

const approachIs = (...approaches: readonly string[]): Step['settled'] => {
  return ({ entry }) => entry.approach !== null && approaches.includes(entry.approach)
}

const isByPriority = ({ entry: { approach } }: Decision): boolean => approach === 'PRIORITY_LOGIC' || approach?.startsWith('PL_') === true

/** A hybrid decision has the label of its networks. */
const isOnlyCandidate = ({ entry: { approach }, facts: { candidates } }: Decision): boolean =>
  approach === 'DEFAULT' || (approach === 'NTW_BASED_ROUTING' && candidates.length === 1)

const isByCost = ({ facts: { costChoice } }: Decision): boolean => costChoice !== undefined && costChoice.chosen !== null

/** Where cost was weighed, the first by name of equal gateways stands before the one that came first of them: nothing needs to be down for it. */
const isOvertaken = (decision: Decision): boolean => {
  const { entry, facts } = decision
  const { gatewayBeforeEvaluation: before, downtime } = facts
  if (before === null || before === entry.gateway) return false
  if (!isByCost(decision)) return true
  return downtime?.down.includes(before) === true && !downtime.down.some((gateway) => gateway === entry.gateway)
}

const hasTie = ({ facts: { scores } }: Decision): boolean => {
  const best = Math.max(...scores)
  return scores.filter((score) => score === best).length > 1
}

const cheaperInWords = ({ facts }: Decision): string => {
  const { head = facts.gatewayBeforeEvaluation, costSavedBps = null } = facts.costChoice ?? {}
  const saved = costSavedBps === null ? 'less' : `${costSavedBps.toFixed(2)} bps less`
  return `won over ${head} because it costs ${saved} and its score is close enough`
}

const tieInWords = (decision: Decision): string => {
  const chooser = isByCost(decision)
    ? 'the first of them by name takes the payment where cost is weighed and moves nothing'
    : 'a hash of the payment id chose between them'
  return `shared the best score with others; ${chooser}`
}

/** Gateways that are down come last in a fixed arm, and no score tells it. */
const armInWords = ({ entry, facts: { downtime } }: Decision): string => {
  const isUpWhileOthersAreNot = downtime !== undefined && !downtime.down.some((gateway) => gateway === entry.gateway)
  const among = isUpWhileOthersAreNot ? ' of the gateways that are up' : ''
  return `comes first${among} in the algorithm of the payment's arm of an experiment (${entry.ruleName})`
}

/** The last step of a decision that had a say settled it: this is their order from the end. */
const STEPS: readonly Step[] = [
  { reason: 'ONLY_CANDIDATE', settled: isOnlyCandidate, words: () => 'was the only candidate' },
  { reason: 'PREFERRED', settled: approachIs('MERCHANT_PREFERENCE'), words: () => 'was preferred by the request and the only candidate' },
  {
    reason: 'FIRST_CANDIDATE',
    settled: ({ facts }) => facts.rankingAlgorithm === 'NTW_BASED_ROUTING',
    words: () => 'came first in the order of the candidates; networks alone were asked for, so scores had no say',
  },
  {
    reason: 'CHEAPER',
    // A hybrid decision has the label of its networks.
    settled: ({ entry, facts }) => entry.approach === 'SR_SELECTION_MULTI_OBJECTIVE' || facts.costChoice?.outcome === 'COST_WON',
    words: cheaperInWords,
  },
  {
    reason: 'PROBED',
    settled: ({ facts }) => facts.downtime?.probe === true,
    words: () => 'is held to be down; this payment tries whether it is back',
  },
  {
    reason: 'BETTER_WAS_DOWN',
    settled: isOvertaken,
    words: ({ facts }) => `was chosen because ${facts.gatewayBeforeEvaluation}, which came first before, was held to be down`,
  },
  {
    reason: 'EXPLORED',
    settled: ({ facts }) => facts.explored,
    words: ({ facts }) => `was explored: ${facts.knobs.hedgingPercent} % of payments go to other than the best gateway in order to learn`,
  },
  {
    reason: 'PREFERRED',
    settled: (decision) => isByPriority(decision) && decision.facts.preferredGateway === decision.entry.gateway,
    words: () => 'was preferred by the request, which puts it first in the priority list',
  },
  {
    reason: 'EXPERIMENT_ARM',
    settled: approachIs('AB_TEST_STATIC_ALGORITHM'),
    words: armInWords,
  },
  {
    reason: 'RULE',
    settled: (decision) => isByPriority(decision) && decision.facts.algorithmId !== null,
    words: ({ entry }) =>
      `comes first by the active algorithm${entry.ruleName === null ? '' : ` (${entry.ruleName})`}, which leaves candidates that it does not name in their order`,
  },
  {
    reason: 'CANDIDATE_ORDER',
    settled: isByPriority,
    words: () => 'comes first in the order of the candidates; there is no active algorithm',
  },
  { reason: 'TIE', settled: hasTie, words: tieInWords },
  { reason: 'HIGHEST_SCORE', settled: () => true, words: () => 'had the highest score' },
]

/** What settled a decision. */
export const winReasonOf = (decision: Decision): WinReason => {
  const step = STEPS.find(({ settled }) => settled(decision))
  assert(step !== undefined, 'the last step settles every decision')
  return { reason: step.reason, inWords: `${decision.entry.gateway} ${step.words(decision)}.` }
}
