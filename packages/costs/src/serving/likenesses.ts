import { ANY } from '../tuple-index.ts'
import { KEEPS } from './numbered-fit.ts'

/** Connector, network, variant, funding and issuer: what payments are alike in. */
export const LIKENESS_WIDTH = 5

/** What payments are alike in besides connector, network and funding. */
export const LIKENESSES = ['variant and issuer', 'variant', 'funding and issuer', 'funding'] as const
export type Likeness = (typeof LIKENESSES)[number]

/** Which likeness is looked at, and what is kept of how payments were seen. */
interface Level {
  readonly likeness: Likeness
  readonly keeps: number
}

/** First to last (cost.md 14). */
export const LEVELS: readonly Level[] = [
  { likeness: 'variant and issuer', keeps: KEEPS.channelAndBand },
  { likeness: 'variant and issuer', keeps: KEEPS.channel },
  { likeness: 'variant', keeps: KEEPS.channelAndBand },
  { likeness: 'variant and issuer', keeps: KEEPS.band },
  { likeness: 'variant and issuer', keeps: KEEPS.nothing },
  { likeness: 'funding and issuer', keeps: KEEPS.channelAndBand },
  { likeness: 'funding', keeps: KEEPS.channelAndBand },
  { likeness: 'funding', keeps: KEEPS.band },
  { likeness: 'funding', keeps: KEEPS.nothing },
]

/** Numbers of what may be alike. */
interface LikenessParts {
  readonly variant: number
  readonly funding: number
  readonly issuer: number
}

/**
 * Writes a likeness behind the connector and the network that stand in `key`. The funding is always part of it: a wallet names debit and
 * credit alike, and the category of the one is none of the other.
 */
export const putLikeness = (key: number[], likeness: Likeness, { variant, funding, issuer }: LikenessParts): void => {
  const isOfVariant = likeness === 'variant and issuer' || likeness === 'variant'
  key[2] = isOfVariant ? variant : ANY
  key[3] = funding
  key[4] = likeness === 'variant and issuer' || likeness === 'funding and issuer' ? issuer : ANY
}
