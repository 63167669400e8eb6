import { type Decider, type Decision, reject } from './decider.ts'

/** What opens and closes all that belongs to a merchant. */
interface MerchantLife {
  readonly type: 'MerchantRegistered' | 'MerchantClosed'
}

/** Nothing is decided for a merchant that is not registered. */
export interface MerchantNotFound {
  readonly code: 'MERCHANT_NOT_FOUND'
  readonly merchantId: string
}

const isMerchantLife = (event: { readonly type: string }): event is MerchantLife =>
  event.type === 'MerchantRegistered' || event.type === 'MerchantClosed'

/**
 * Rules of one part of a merchant's configuration, for registered merchants only: registering and closing begin with the
 * initial state, and what was decided while the merchant was being closed has no effect, neither then nor on a merchant
 * that comes back under its id.
 */
export const ofMerchant = <
  Command extends { readonly merchantId: string },
  State extends { readonly registered: boolean },
  Event extends { readonly type: string },
  Rejection,
>({
  initialState,
  decide,
  evolve,
}: Decider<Command, State, Event, Rejection>): Decider<Command, State, MerchantLife | Event, MerchantNotFound | Rejection> & {
  readonly decide: (command: Command, state: State) => Decision<Event, MerchantNotFound | Rejection>
} => ({
  initialState,
  decide: (command, state): Decision<Event, MerchantNotFound | Rejection> =>
    state.registered ? decide(command, state) : reject({ code: 'MERCHANT_NOT_FOUND', merchantId: command.merchantId }),
  evolve: (state, event) => {
    if (isMerchantLife(event)) return event.type === 'MerchantRegistered' ? { ...initialState, registered: true } : initialState
    return state.registered ? evolve(state, event) : state
  },
})
