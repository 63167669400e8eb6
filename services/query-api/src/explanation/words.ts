import { ignoredWishOf, reasonOf } from '../routes/entry-details.ts'

import { experimentInWords } from '../routes/experiment-part.ts'
import type { EntryOf, PaymentStory } from './decision-facts.ts'
import { winReasonOf } from './winner.ts'

const SCORE_DIGITS = 4

/** RFC 3339 with `Z`. */
export const timeOf = (at: number): string => new Date(at).toISOString()

/** For people: without trailing zeros. */
const scoreText = (score: number | undefined): string =>
  score === undefined ? 'without a score' : String(Number(score.toFixed(SCORE_DIGITS)))

const STRATEGIES: Readonly<Record<string, string>> = {
  SR_BASED_ROUTING: 'success rates',
  PL_BASED_ROUTING: 'the priority list',
  NTW_BASED_ROUTING: 'debit networks',
  NTW_SR_HYBRID_ROUTING: 'debit networks and success rates',
}

/** An arm of an experiment decides by its own way, whatever was asked for. */
const strategyInWords = ({ facts: { experiment, rankingAlgorithm } }: EntryOf<'decision'>): string => {
  if (experiment === undefined || experiment.exclusion !== null) return STRATEGIES[rankingAlgorithm] ?? rankingAlgorithm
  return experiment.algorithmId === null ? 'success rates' : 'a fixed arm of an experiment'
}

const networksInWords = ({ facts: { network, networkProblem } }: EntryOf<'decision'>): readonly string[] => {
  if (network === undefined) return networkProblem === undefined ? [] : [`Its networks could not be told: ${networkProblem}.`]
  const listed = network.options.map(({ network: name, savingPercent }) => `${name} (saves ${savingPercent} % of the amount)`)
  const skipped = network.skipped.length === 0 ? '' : ` Without a say: ${network.skipped.join(', ')}.`
  return [`Networks, the cheapest first: ${listed.join(', ')}.${skipped}`]
}

const decisionInWords = (decision: EntryOf<'decision'>): readonly string[] => {
  const { entry, facts } = decision
  const seen = facts.candidates.map((gateway, index) => `${gateway} ${scoreText(facts.scores[index])}`)
  const ignoredWish = ignoredWishOf(entry, facts)
  return [
    `At ${timeOf(entry.at)} the payment was decided by ${strategyInWords(decision)} for ${entry.gateway} (${entry.approach}).`,
    `Candidates and the scores that were seen: ${seen.join(', ')}.`,
    ...(facts.downtime === undefined ? [] : [`Held to be down: ${facts.downtime.down.join(', ')}.`]),
    ...experimentInWords(facts.experiment),
    winReasonOf(decision).inWords,
    ...(ignoredWish === null ? [] : [ignoredWish]),
    ...networksInWords(decision),
  ]
}

const outcomeInWords = ({ entry, facts }: EntryOf<'outcome'>): string => {
  const score = entry.score === null ? '' : ` Its score was ${scoreText(entry.score)} afterwards.`
  return `At ${timeOf(entry.at)} ${entry.gateway} was reported as ${entry.status}. ${reasonOf(facts)}${score}`
}

/** Messages of errors are sentences, or parts of one. */
const refusalInWords = ({ entry }: EntryOf<'refusal'>): string =>
  `At ${timeOf(entry.at)} a call failed: ${entry.errorCode}, ${entry.errorMessage?.replace(/\.$/, '')}.`

const UNDECIDED = 'No decision is known for this payment.'
/** What is no longer kept may hold one. */
const UNDECIDED_OF_LATE = 'Its newest steps, which alone are kept, hold no decision.'

/** The story of a payment in sentences, the newest decision first, then what came of it. */
export const storyInWords = ({ decisions, outcomes, refusals, untoldCount }: PaymentStory): readonly string[] => {
  const decision = decisions.at(-1)
  const undecided = untoldCount > 0 ? UNDECIDED_OF_LATE : UNDECIDED
  return [
    ...(decision === undefined ? [undecided] : decisionInWords(decision)),
    ...(decisions.length > 1 ? [`It was decided ${decisions.length} times; the newest decision counts.`] : []),
    ...refusals.map(refusalInWords),
    ...(outcomes.length === 0 ? ['No outcome was reported.'] : outcomes.map(outcomeInWords)),
    ...(untoldCount > 0 ? [`${untoldCount} older steps are not told.`] : []),
  ]
}
