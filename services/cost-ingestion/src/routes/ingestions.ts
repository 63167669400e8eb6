import type { Route } from '@switchyard/http'
import * as z from 'zod'
import type { CostOperations } from '../operations.ts'
import { costRoute, costSpec, merchantOf, originOf, pathParam, replyOf } from './cost-route.ts'
import { ingestionAnswer, printIngestion } from './ingestion-wire.ts'

const UNKNOWN = { 404: 'The merchant or the ingestion is not known' }

/** `/merchant-account/{m}/cost-ingestions` (cost.md 3.5). Deleting one that is under way ends it. */
export const ingestionRoutes = (operations: Pick<CostOperations, 'list' | 'retrieve' | 'remove'>): readonly Route[] => [
  costRoute(
    costSpec('GET', 'cost-ingestions'),
    { summary: 'Settlement reports that were taken in, newest first', answer: z.array(ingestionAnswer) },
    async (request) => ({ status: 200, body: (await operations.list({ merchantId: merchantOf(request) })).map(printIngestion) }),
  ),
  costRoute(
    costSpec('GET', 'cost-ingestions/:id'),
    { summary: 'One settlement report and how far it is', answer: ingestionAnswer, refusals: UNKNOWN },
    async (request) =>
      replyOf(await operations.retrieve({ merchantId: merchantOf(request), ingestionId: pathParam(request, 'id') }), printIngestion),
  ),
  costRoute(
    costSpec('DELETE', 'cost-ingestions/:id'),
    {
      summary: 'Take a settlement report back, also while it is read, and learn the costs without it',
      status: 204,
      refusals: { ...UNKNOWN, 409: 'Others changed it at the same time; try again' },
    },
    async (request) => {
      const place = { merchantId: merchantOf(request), ingestionId: pathParam(request, 'id') }
      return replyOf(await operations.remove({ ...place, origin: originOf(request) }), () => null, 204)
    },
  ),
]
