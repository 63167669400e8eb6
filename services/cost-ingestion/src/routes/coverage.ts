import type { Route } from '@switchyard/http'
import * as z from 'zod'
import type { CostOperations } from '../operations.ts'
import { costRoute, costSpec, merchantOf } from './cost-route.ts'
import { coverageAnswer, priceChangeAnswer, printCoverage, printPriceChange } from './coverage-wire.ts'

/** `cost-coverage` and `cost-price-changes` (cost.md 10.2, 10.3). */
export const coverageRoutes = (operations: Pick<CostOperations, 'coverage' | 'priceChanges'>): readonly Route[] => [
  costRoute(
    costSpec('GET', 'cost-coverage'),
    { summary: 'How far the costs of a merchant are known, in all and by source', answer: coverageAnswer },
    async (request) => ({ status: 200, body: printCoverage(await operations.coverage({ merchantId: merchantOf(request) })) }),
  ),
  costRoute(
    costSpec('GET', 'cost-price-changes'),
    { summary: 'Prices that have changed, newest first', answer: z.array(priceChangeAnswer) },
    async (request) => ({ status: 200, body: (await operations.priceChanges({ merchantId: merchantOf(request) })).map(printPriceChange) }),
  ),
]
