import type { IncomingHttpHeaders } from 'node:http'
import { platformError } from '../errors.ts'
import { mayActFor } from '../identity.ts'
import type { Identity, Refusal, RouteReply, RouteRequest, RouteSpec } from '../route.ts'
import { type AccessRule, type Authenticate, type AuthenticationOptions, createAuthenticate } from './authentication.ts'
import type { CredentialLookup } from './credential-lookup.ts'

/** What the gate checks credentials, tenants and merchants against. */
export interface GateOptions extends AuthenticationOptions {
  /** Known values of `x-tenant-id`, for example `public`. */
  readonly tenants: readonly string[]
  /** Waits until the directory knows of the merchant what stands in the log now; asked before an unknown merchant is refused. */
  readonly refreshMerchant?: (merchantId: string) => Promise<void>
  /** Waits until the directory knows all that stands in the log now; asked before an unknown key or membership counts as none. */
  readonly refreshCredentials?: () => Promise<void>
}

/** All checks that come before a handler (platform.md 2 and 11, contract/README.md 13 and 14); created by {@link createGate}. */
export interface Gate {
  readonly authenticate: Authenticate
  /** As in {@link GateOptions}; undefined: what is unknown does not exist. */
  readonly refreshCredentials: GateOptions['refreshCredentials']
  /** The answer to a missing or unknown tenant; undefined when the tenant is known. */
  readonly refuseTenant: (headers: IncomingHttpHeaders) => RouteReply | undefined
  /** The answer to an admin secret alone where a merchant's credential is needed; undefined when all is well. */
  readonly refuseIdentity: (rule: AccessRule, identity: Identity) => RouteReply | undefined
  /** Existence first, then ownership; undefined when both hold or the request names no merchant. */
  readonly refuseMerchant: (spec: RouteSpec, request: RouteRequest) => Refusal | undefined | Promise<Refusal | undefined>
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined

/** The merchant that the request names where its route's row says; undefined when it names none there (its handler finds the body wrong). */
const merchantNamedBy = ({ merchant }: RouteSpec, { params, body }: RouteRequest): string | undefined => {
  if (merchant === undefined) return undefined
  const named = merchant.in === 'path' ? params[merchant.name] : memberOf(body, merchant.name)
  return typeof named === 'string' ? named : undefined
}

const createMerchantCheck = (directory: CredentialLookup, refreshMerchant: GateOptions['refreshMerchant']): Gate['refuseMerchant'] => {
  const refuse = (merchantId: string, spec: RouteSpec, identity: Identity): Refusal | undefined => {
    if (spec.merchant?.whenUnknown === 'not-found' && !directory.hasMerchant(merchantId)) return { code: 'MERCHANT_NOT_FOUND', merchantId }
    return mayActFor(identity, merchantId) ? undefined : { code: 'MERCHANT_FOREIGN', merchantId }
  }
  return (spec, request) => {
    const merchantId = merchantNamedBy(spec, request)
    if (merchantId === undefined) return undefined
    const refusal = refuse(merchantId, spec, request.identity)
    if (refusal?.code !== 'MERCHANT_NOT_FOUND' || refreshMerchant === undefined) return refusal
    return refreshMerchant(merchantId).then(() => refuse(merchantId, spec, request.identity))
  }
}

/** The gate of one process. */
export const createGate = (options: GateOptions): Gate => ({
  authenticate: createAuthenticate(options),
  refreshCredentials: options.refreshCredentials,
  refuseTenant: (headers) => {
    const tenant = headers['x-tenant-id']
    if (typeof tenant !== 'string' || !PRINTABLE_ASCII.test(tenant))
      return platformError(400, 'TE_03', 'Tenant error: x-tenant-id not found in headers')
    return options.tenants.includes(tenant) ? undefined : platformError(400, 'TE_03', 'Tenant error: Invalid x-tenant-id')
  },
  refuseIdentity: (rule, identity) =>
    rule.identity === 'required' && identity.kind === 'admin'
      ? platformError(401, 'TE_03', 'Analytics access requires JWT or API key authentication')
      : undefined,
  refuseMerchant: createMerchantCheck(options.directory, options.refreshMerchant),
})
