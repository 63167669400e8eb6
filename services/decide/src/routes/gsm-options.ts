import type { Route } from '@switchyard/http'
import type { GatewayErrorTable } from '@switchyard/routing'
import { gatewayErrorRules } from './answer-schemas.ts'

/** `GET /gsm/options` (platform.md 8.5): the rows of the error-code table, in camel case; the same for every merchant. */
export const gsmOptionsRoute = ({ rules }: Pick<GatewayErrorTable, 'rules'>): Route => ({
  spec: {
    method: 'GET',
    path: '/gsm/options',
    access: 'protected',
    permission: 'routing:read',
    tenant: false,
    body: 'none',
    hot: false,
  },
  api: { summary: "How gateways' errors are classified", answer: gatewayErrorRules },
  handle: () => ({ status: 200, body: { rules } }),
})
