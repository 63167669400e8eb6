import type { ConnectorCredentialRemoved, ConnectorCredentialStored } from '@switchyard/events'
import { accept, assertNever, reject, type Slice } from '@switchyard/kernel'

/** Encrypted with the merchant's data key, base64, and what it is recognised by. */
export interface SealedSecret {
  readonly secret: string
  readonly hint: string
}

/** A registration of a merchant id: one that was closed owns nothing any more. */
export interface AccountOwner {
  readonly merchantId: string
  readonly merchantRegistrationCount: number
}

/** An account at a connector, whose it is, and how its reports are verified and fetched. */
export interface ConnectorAccount extends AccountOwner {
  readonly connector: string
  readonly account: string
  readonly webhookSecret: SealedSecret
  readonly downloadSecret: SealedSecret
}

/** Stores or removes the credentials of one account; `at` is epoch milliseconds. */
export type ConnectorAccountsCommand = {
  /** {@link accountIdOf} of connector and account. */
  readonly accountId: string
  readonly merchantId: string
  readonly connector: string
  readonly account: string
  readonly at: number
} & (
  | {
      readonly type: 'StoreConnectorCredential'
      readonly merchantRegistrationCount: number
      readonly webhookSecret: SealedSecret
      readonly downloadSecret: SealedSecret
      /** The owner that is known to have been closed; null without one. */
      readonly closedOwner: AccountOwner | null
    }
  | { readonly type: 'RemoveConnectorCredential' }
)

/** What the credentials of an account follow from. */
export type ConnectorAccountsEvent = ConnectorCredentialStored | ConnectorCredentialRemoved

/** Why credentials are not stored: the account belongs to another merchant. */
export interface ConnectorAccountsRejection {
  readonly code: 'ACCOUNT_OWNED_BY_ANOTHER'
  readonly connector: string
  readonly account: string
}

/** One account; null as long as it is nobody's. */
export interface ConnectorAccountState {
  readonly stored: ConnectorAccount | null
}

const initialState: ConnectorAccountState = { stored: null }

/**
 * Key of an account in the log: made of connector and account, so that the log settles whose it is, as it does with addresses
 * of people. `sha256Hex` is passed in because domains are pure.
 */
export const accountIdOf = (connector: string, account: string, sha256Hex: (text: string) => string): string =>
  `acct_${sha256Hex(JSON.stringify([connector.toLowerCase(), account])).slice(0, 48)}`

const isSameOwner = (one: AccountOwner, other: AccountOwner | null): boolean =>
  one.merchantId === other?.merchantId && one.merchantRegistrationCount === other.merchantRegistrationCount

/**
 * Credentials by (connector, account), which belong to one merchant: another one can neither overwrite nor remove them (cost.md
 * 3.1). Removing what is not there, or not one's own, changes nothing.
 */
export const connectorAccounts: Slice<ConnectorAccountsCommand, ConnectorAccountState, ConnectorAccountsEvent, ConnectorAccountsRejection> =
  {
    name: 'connector-accounts',
    version: 1,
    folds: ['ConnectorCredentialStored', 'ConnectorCredentialRemoved'],
    conflicts: 'by-version',
    initialState,

    decide: (command, { stored }) => {
      const { type, accountId, merchantId, connector, account, at } = command
      const common = { accountId, merchantId, connector, account }
      switch (type) {
        case 'StoreConnectorCredential': {
          const { webhookSecret, downloadSecret, closedOwner, merchantRegistrationCount } = command
          const isFree = stored === null || isSameOwner(stored, command) || isSameOwner(stored, closedOwner)
          if (!isFree) return reject({ code: 'ACCOUNT_OWNED_BY_ANOTHER', connector, account })
          return accept({
            type: 'ConnectorCredentialStored',
            data: {
              ...common,
              webhookSecret: webhookSecret.secret,
              webhookSecretHint: webhookSecret.hint,
              downloadSecret: downloadSecret.secret,
              downloadSecretHint: downloadSecret.hint,
              merchantRegistrationCount,
              at,
            },
          })
        }
        case 'RemoveConnectorCredential':
          return stored?.merchantId === merchantId ? accept({ type: 'ConnectorCredentialRemoved', data: { ...common, at } }) : accept()
        default:
          return assertNever(type)
      }
    },

    evolve: (_, event) => {
      switch (event.type) {
        case 'ConnectorCredentialStored': {
          const { merchantId, merchantRegistrationCount, connector, account, ...sealed } = event.data
          return {
            stored: {
              merchantId,
              merchantRegistrationCount,
              connector,
              account,
              webhookSecret: { secret: sealed.webhookSecret, hint: sealed.webhookSecretHint },
              downloadSecret: { secret: sealed.downloadSecret, hint: sealed.downloadSecretHint },
            },
          }
        }
        case 'ConnectorCredentialRemoved':
          return { stored: null }
        default:
          return assertNever(event)
      }
    },
  }
