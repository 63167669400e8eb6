import type { ContractRate, ContractRatesAgreed, ContractRatesRemoved } from '@switchyard/events'
import { accept, assertNever, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'
import { type ContractProblem, contractProblems } from '../serving/simulate-contract.ts'

/** Sets the table of contract rates as a whole, or removes it; `at` is epoch milliseconds. */
export type ContractRatesCommand = { readonly merchantId: string; readonly at: number } & (
  | { readonly type: 'AgreeContractRates'; readonly rates: readonly ContractRate[] }
  | { readonly type: 'RemoveContractRates' }
)

/** What the contract rates of a merchant follow from. */
export type ContractRatesEvent = MerchantLife | ContractRatesAgreed | ContractRatesRemoved

interface RatesRefused {
  readonly code: 'RATES_REFUSED'
  readonly problems: readonly ContractProblem[]
}

/** Why a table is not taken. */
export type ContractRatesRejection = RatesRefused | MerchantNotFound

/** The rates of a merchant's contracts; null when it has told none, and the deployment's apply. */
export interface ContractRates {
  readonly registered: boolean
  readonly rates: readonly ContractRate[] | null
}

const initialState: ContractRates = { registered: false, rates: null }

/** The contract rates of one merchant (cost.md 13). A table without rates is none: decisions go by the deployment's. */
export const contractRates: Slice<ContractRatesCommand, ContractRates, ContractRatesEvent, ContractRatesRejection> = {
  name: 'contract-rates',
  version: 1,
  folds: ['MerchantRegistered', 'MerchantClosed', 'ContractRatesAgreed', 'ContractRatesRemoved'],
  conflicts: 'commute',
  ...ofMerchant<ContractRatesCommand, ContractRates, ContractRatesAgreed | ContractRatesRemoved, RatesRefused>({
    initialState,

    decide: (command, { rates }) => {
      const { type, merchantId, at } = command
      switch (type) {
        case 'AgreeContractRates': {
          const problems = contractProblems(command.rates)
          if (problems.length > 0) return reject({ code: 'RATES_REFUSED', problems })
          if (command.rates.length > 0) return accept({ type: 'ContractRatesAgreed', data: { merchantId, rates: command.rates, at } })
          return rates === null ? accept() : accept({ type: 'ContractRatesRemoved', data: { merchantId, at } })
        }
        case 'RemoveContractRates':
          return rates === null ? accept() : accept({ type: 'ContractRatesRemoved', data: { merchantId, at } })
        default:
          return assertNever(type)
      }
    },

    evolve: (state, event) => {
      switch (event.type) {
        case 'ContractRatesAgreed':
          return { ...state, rates: event.data.rates }
        case 'ContractRatesRemoved':
          return { ...state, rates: null }
        default:
          return assertNever(event)
      }
    },
  }),
}
