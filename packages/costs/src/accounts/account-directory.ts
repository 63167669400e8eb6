import { type AccountOwner, type ConnectorAccount, connectorAccounts } from './connector-accounts.ts'

/** The folded states that are indexed; the runtime's stream states fit. */
interface ObservableStates {
  readonly stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, key: string) => State
  /** Calls `listener` for every key whose states changed, and once for every key that is loaded. */
  readonly onChange: (listener: (key: string) => void) => void
}

/** Accounts by their merchants. */
export interface AccountDirectory {
  /** Those of this registration of the merchant, by connector and account. */
  readonly accountsOf: (owner: AccountOwner) => readonly ConnectorAccount[]
}

const inOrder = (one: ConnectorAccount, other: ConnectorAccount): number => {
  if (one.connector !== other.connector) return one.connector < other.connector ? -1 : 1
  return one.account < other.account ? -1 : 1
}

/** An {@link AccountDirectory} that follows the states; every account is kept under its own key. */
export const createAccountDirectory = (states: ObservableStates): AccountDirectory => {
  const byMerchant = new Map<string, Map<string, ConnectorAccount>>()
  const ownerOf = new Map<string, string>()

  states.onChange((key) => {
    const { stored } = states.stateOf(connectorAccounts, key)
    const before = ownerOf.get(key)
    if (stored === null && before === undefined) return
    if (before !== undefined) byMerchant.get(before)?.delete(key)
    if (stored === null) {
      ownerOf.delete(key)
      return
    }
    ownerOf.set(key, stored.merchantId)
    const own = byMerchant.get(stored.merchantId) ?? new Map<string, ConnectorAccount>()
    byMerchant.set(stored.merchantId, own.set(key, stored))
  })

  return {
    accountsOf: ({ merchantId, merchantRegistrationCount }) =>
      [...(byMerchant.get(merchantId)?.values() ?? [])]
        .filter((stored) => stored.merchantRegistrationCount === merchantRegistrationCount)
        .sort(inOrder),
  }
}
