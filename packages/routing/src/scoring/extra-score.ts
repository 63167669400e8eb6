import type { ScoringKnobs } from '@switchyard/events'

/**
 * A score with the merchant's boost of that gateway (decide.md 5.6.2): `s + f * sqrt(s (1 - s) / B)` within 0 and 1, where
 * f is the factor of sigma and B the length of the window. Without a boost the score itself.
 */
export const boostedScore = (score: number, gateway: string, { extraScores, bucketSize }: ScoringKnobs): number => {
  const factor = extraScores.find(({ gatewayName }) => gatewayName === gateway)?.gatewaySigmaFactor ?? 0
  return factor === 0 ? score : Math.min(1, Math.max(0, score + factor * Math.sqrt((score * (1 - score)) / bucketSize)))
}
