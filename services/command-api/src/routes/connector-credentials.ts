import { createHash } from 'node:crypto'
import { merchants } from '@switchyard/access'
import {
  ACCOUNT_LENGTH_MAX,
  type AccountDirectory,
  type AccountOwner,
  accountIdOf,
  type ConnectorAccount,
  connectorAccounts,
  downloadHintOf,
  reportFormatOf,
  type SealedSecret,
  secretHintOf,
} from '@switchyard/costs'
import { parseBody, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { assertNever, hasControlCharacter, type Now } from '@switchyard/kernel'
import type { HandleCommand, MerchantCipher, StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import { originOf } from './command-origin.ts'
import { changedMeanwhile, connectorOf, costSpec, merchantOf, merchantUnknown, pathParam } from './cost-replies.ts'
import { isDotSegment } from './identifiers.ts'
import { positionHeaders } from './routing-replies.ts'

/** What the routes of connectors' credentials need. */
export interface ConnectorCredentialRouteDependencies {
  readonly handle: HandleCommand
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex' | 'readIndexOfAll'>
  readonly accounts: AccountDirectory
  /** Undefined where the deployment has no secret to wrap keys with: nothing can be stored then. */
  readonly cipher: Pick<MerchantCipher, 'seal'> | undefined
  readonly now: Now
}

/** Longest secret: a private key in a document of its own fits. */
const SECRET_LENGTH_MAX = 16_384

const credentialSchema = z.object({
  // As uploads and notices of reports name it.
  account: z
    .string()
    .trim()
    .min(1)
    .max(ACCOUNT_LENGTH_MAX)
    .refine((account) => !hasControlCharacter(account), 'must not have control characters')
    .refine((account) => !isDotSegment(account), 'must not be . or .., which no path can name'),
  webhook_secret: z.string().max(SECRET_LENGTH_MAX),
  download_auth: z.string().max(SECRET_LENGTH_MAX),
})

const listAnswer = z.array(
  z.object({ connector: z.string(), account: z.string(), webhook_secret_hint: z.string(), download_auth_hint: z.string() }),
)
const savedAnswer = z.object({ merchant_id: z.string(), connector: z.string(), account: z.string(), status: z.literal('saved') })

const noKeys: RouteReply = platformError(
  503,
  'TE_00',
  'Credentials can not be stored: the deployment has no SWITCHYARD_DATA_KEY_SECRET to encrypt them with',
)
const connectorUnknown: RouteReply = platformError(404, 'TE_02', 'connector: no such connector; GET /cost-ingestion/connectors lists them')

const refusal = (rejection: { readonly code: 'ACCOUNT_OWNED_BY_ANOTHER' | 'CONFLICT' }): RouteReply => {
  switch (rejection.code) {
    case 'ACCOUNT_OWNED_BY_ANOTHER':
      return platformError(409, 'TE_04', 'account: belongs to another merchant, who has to remove it first')
    case 'CONFLICT':
      return changedMeanwhile
    default:
      return assertNever(rejection.code)
  }
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

const sealed = async (
  keys: Pick<MerchantCipher, 'seal'>,
  merchantId: string,
  secret: string,
  hintOf: (secret: string) => string,
): Promise<SealedSecret> => ({
  secret: Buffer.from(await keys.seal(merchantId, Buffer.from(secret))).toString('base64'),
  hint: hintOf(secret),
})

const print = ({ connector, account, webhookSecret, downloadSecret }: ConnectorAccount): object => ({
  connector,
  account,
  webhook_secret_hint: webhookSecret.hint,
  download_auth_hint: downloadSecret.hint,
})

const listRoute = ({ states, accounts }: ConnectorCredentialRouteDependencies): Route => ({
  spec: costSpec('GET', 'connectors'),
  api: { summary: 'Accounts whose reports are fetched, their secrets masked', answer: listAnswer },
  handle: async (request) => {
    const merchantId = merchantOf(request)
    // Each account has a key of its own in the log.
    await states.readIndexOfAll()
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    const own = registered ? accounts.accountsOf({ merchantId, merchantRegistrationCount: registrationCount }) : []
    return { status: 200, body: own.map(print) }
  },
})

const removeRoute = ({ handle, now }: ConnectorCredentialRouteDependencies): Route => ({
  spec: costSpec('DELETE', 'connectors/:connector/credentials/:account'),
  api: { summary: 'Forget the credentials of an account', status: 204, refusals: { 409: 'Others changed it at the same time; try again' } },
  handle: async (request) => {
    const connector = connectorOf(request) ?? ''
    const account = pathParam(request, 'account').trim()
    const accountId = accountIdOf(connector, account, sha256Hex)
    const common = { accountId, merchantId: merchantOf(request), connector, account, at: now() }
    const outcome = await handle(connectorAccounts, {
      key: accountId,
      command: { type: 'RemoveConnectorCredential', ...common },
      origin: originOf(request),
    })
    return outcome.accepted ? { status: 204, headers: positionHeaders(outcome.position) } : refusal(outcome.rejection)
  },
})

/** `/merchant-account/{m}/connectors` (cost.md 3.1): encrypted with the merchant's data key, shown masked, owned by one merchant. */
export const connectorCredentialRoutes = (dependencies: ConnectorCredentialRouteDependencies): readonly Route[] => {
  const { handle, states, cipher, now } = dependencies

  /** An owner that is no more what it was: the id was closed, or registered again. */
  const closedOwnerOf = (accountId: string): AccountOwner | null => {
    const { stored } = states.stateOf(connectorAccounts, accountId)
    if (stored === null) return null
    const { registered, registrationCount } = states.stateOf(merchants, stored.merchantId)
    return registered && registrationCount === stored.merchantRegistrationCount ? null : stored
  }

  const store = async (request: RouteRequest, keys: Pick<MerchantCipher, 'seal'>, connector: string): Promise<RouteReply> => {
    const body = parseBody(credentialSchema, request.body)
    if (!body.ok) return body.reply
    const { account, webhook_secret, download_auth } = body.value
    const merchantId = merchantOf(request)
    const { registrationCount: lifeBefore } = states.stateOf(merchants, merchantId)
    await states.readIndexOfAll()
    const { registered, registrationCount: merchantRegistrationCount } = states.stateOf(merchants, merchantId)
    // Everybody but the admin was let in for the merchant that had the id until now; this process may not have heard of it yet.
    const isMeant = request.identity.kind === 'admin' || lifeBefore === 0 || lifeBefore === merchantRegistrationCount
    if (!registered || !isMeant) return merchantUnknown
    const accountId = accountIdOf(connector, account, sha256Hex)
    const outcome = await handle(connectorAccounts, {
      key: accountId,
      command: {
        type: 'StoreConnectorCredential',
        accountId,
        merchantId,
        merchantRegistrationCount,
        connector,
        account,
        webhookSecret: await sealed(keys, merchantId, webhook_secret, secretHintOf),
        downloadSecret: await sealed(keys, merchantId, download_auth, downloadHintOf),
        closedOwner: closedOwnerOf(accountId),
        at: now(),
      },
      origin: originOf(request),
    })
    if (!outcome.accepted) return refusal(outcome.rejection)
    const saved = { merchant_id: merchantId, connector, account, status: 'saved' }
    return { status: 200, body: saved, headers: positionHeaders(outcome.position) }
  }

  const storeRoute: Route = {
    spec: costSpec('POST', 'connectors/:connector/credentials'),
    api: {
      summary: 'Store how the reports of an account are verified and fetched',
      body: credentialSchema,
      answer: savedAnswer,
      refusals: {
        404: 'The merchant or the connector is not known',
        409: 'The account belongs to another merchant, or others changed it at the same time',
        503: 'The deployment has no secret to encrypt credentials with',
      },
    },
    handle: async (request) => {
      const connector = connectorOf(request)
      if (connector === undefined || reportFormatOf(connector) === undefined) return connectorUnknown
      return cipher === undefined ? noKeys : await store(request, cipher, connector)
    },
  }
  return [listRoute(dependencies), storeRoute, removeRoute(dependencies)]
}
