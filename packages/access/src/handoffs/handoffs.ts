import type { HandoffCodeIssued, HandoffCodeRedeemed, MerchantClosed, MerchantRegistered } from '@switchyard/events'
import { accept, assertNever, type Decision, reject, type Slice } from '@switchyard/kernel'
import { OPEN_HANDOFF_COUNT_MAX } from '../limits.ts'

/** What the session of a code may do, and for whom it is. */
export interface HandoffGrant {
  /** Address that the session shows. */
  readonly email: string | null
  readonly permissions: readonly string[]
  /** `profile`, `merchant` or `org`. */
  readonly grantLevel: string
  readonly grantId: string
}

/** Issues a code, or uses it up; `at` and `expiresAt` are epoch milliseconds. The code itself never gets here, only its hash. */
export type HandoffsCommand =
  | (HandoffGrant & {
      readonly type: 'IssueHandoffCode'
      readonly merchantId: string
      readonly codeHash: string
      readonly expiresAt: number
      readonly at: number
    })
  | { readonly type: 'RedeemHandoffCode'; readonly merchantId: string; readonly codeHash: string; readonly at: number }

/** What the open codes follow from; one that runs out leaves no event. */
export type HandoffsEvent = MerchantRegistered | MerchantClosed | HandoffCodeIssued | HandoffCodeRedeemed

/** Why a code is not issued or not taken. */
export type HandoffsRejection =
  | { readonly code: 'MERCHANT_NOT_FOUND'; readonly merchantId: string }
  | { readonly code: 'HANDOFF_CODE_INVALID' }
  | { readonly code: 'HANDOFF_LIMIT_REACHED'; readonly openCountMax: number }

/** A code that was issued and not used. */
export interface OpenHandoff extends HandoffGrant {
  readonly codeHash: string
  readonly expiresAt: number
}

/** The codes of one merchant; those that have run out are dropped by the next event. */
export interface HandoffsState {
  readonly registered: boolean
  readonly open: readonly OpenHandoff[]
}

const initialState: HandoffsState = { registered: false, open: [] }

const isRunning =
  (at: number) =>
  ({ expiresAt }: OpenHandoff): boolean =>
    at <= expiresAt

const issue = (
  { type: _type, ...data }: Extract<HandoffsCommand, { type: 'IssueHandoffCode' }>,
  { open }: HandoffsState,
): Decision<HandoffsEvent, HandoffsRejection> =>
  open.filter(isRunning(data.at)).length >= OPEN_HANDOFF_COUNT_MAX
    ? reject({ code: 'HANDOFF_LIMIT_REACHED', openCountMax: OPEN_HANDOFF_COUNT_MAX })
    : accept({ type: 'HandoffCodeIssued', data })

/** One-time codes that hand a session over (platform.md 4.3). Two who redeem the same code race for its version: one gets it. Key: merchant id. */
export const handoffs: Slice<HandoffsCommand, HandoffsState, HandoffsEvent, HandoffsRejection> = {
  name: 'handoffs',
  version: 1,
  folds: ['MerchantRegistered', 'MerchantClosed', 'HandoffCodeIssued', 'HandoffCodeRedeemed'],
  conflicts: 'by-version',
  initialState,

  decide: (command, state) => {
    if (!state.registered) return reject({ code: 'MERCHANT_NOT_FOUND', merchantId: command.merchantId })
    switch (command.type) {
      case 'IssueHandoffCode':
        return issue(command, state)
      case 'RedeemHandoffCode': {
        const { merchantId, codeHash, at } = command
        const isOpen = state.open.filter(isRunning(at)).some((code) => code.codeHash === codeHash)
        return isOpen
          ? accept({ type: 'HandoffCodeRedeemed', data: { merchantId, codeHash, at } })
          : reject({ code: 'HANDOFF_CODE_INVALID' })
      }
      default:
        return assertNever(command)
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'MerchantRegistered':
        return { registered: true, open: [] }
      case 'MerchantClosed':
        return initialState
      case 'HandoffCodeIssued': {
        // A code that was issued while its merchant was being closed opens nothing.
        if (!state.registered) return state
        const { merchantId: _merchant, at, ...code } = event.data
        return { ...state, open: [...state.open.filter(isRunning(at)), code] }
      }
      case 'HandoffCodeRedeemed': {
        const { codeHash, at } = event.data
        return { ...state, open: state.open.filter((code) => code.codeHash !== codeHash).filter(isRunning(at)) }
      }
      default:
        return assertNever(event)
    }
  },
}
