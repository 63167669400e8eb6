import type { Fee } from '@switchyard/costs'
import { platformError, type RouteReply, type RouteRequest, type RouteSpec } from '@switchyard/http'
import { hasControlCharacter, ID_LENGTH_MAX, isUpTo } from '@switchyard/kernel'

/** The row of a route about the costs of the merchant in its path: reads know any merchant, writes those that there are. */
export const costSpec = (method: RouteSpec['method'], path: string): RouteSpec => ({
  method,
  path: `/merchant-account/:merchantId/${path}`,
  access: 'protected',
  permission: method === 'GET' ? 'routing:read' : 'routing:write',
  tenant: false,
  merchant: { in: 'path', name: 'merchantId', whenUnknown: method === 'GET' ? 'allowed' : 'not-found' },
  body: method === 'PUT' || method === 'POST' ? 'json' : 'none',
  hot: false,
})

/** A parameter of the path. */
export const pathParam = ({ params }: RouteRequest, name: string): string => params[name] ?? ''

/** Whether a connector can be called so. */
export const isConnectorName = (text: string): boolean =>
  text !== '' && isUpTo(text, ID_LENGTH_MAX) && text.trim() === text && !hasControlCharacter(text)

/** The connector of a path in lower case; undefined for what can't be a name. */
export const connectorOf = (request: RouteRequest): string | undefined => {
  const connector = pathParam(request, 'connector').trim().toLowerCase()
  return isConnectorName(connector) ? connector : undefined
}

/** The merchant of a path. */
export const merchantOf = (request: RouteRequest): string => pathParam(request, 'merchantId')

export const badConnector: RouteReply = platformError(
  400,
  'TE_04',
  `connector: must have 1 to ${ID_LENGTH_MAX} characters, without control characters`,
)
export const merchantUnknown: RouteReply = platformError(404, 'TE_04', 'MerchantId not found')
export const changedMeanwhile: RouteReply = platformError(409, 'TE_04', 'Others changed it at the same time; try again')

/** How fees are written, and where it says 400 for one that is none. */
export const FEE_FIELDS: Readonly<Record<keyof Fee, string>> = { pctBps: 'pct_bps', fixed: 'fixed' }
