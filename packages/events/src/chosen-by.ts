import type { GatewayDecided } from './generated/payments.ts'

/** Whether success rates chose between several gateways, by themselves or behind networks: only such a payment's outcomes tell how well they choose. */
export const isBySuccessRate = ({
  candidates,
  approach,
  rankingAlgorithm,
}: Pick<GatewayDecided['data'], 'candidates' | 'approach' | 'rankingAlgorithm'>): boolean =>
  candidates.length > 1 && (approach.startsWith('SR_') || rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING')
