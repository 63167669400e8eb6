import { handoffs } from '../handoffs/handoffs.ts'
import type { ObservableStates } from './observable-states.ts'

/** The merchants of open hand-off codes by the hash of the code; follows the states. */
export const indexHandoffs = (states: ObservableStates): ReadonlyMap<string, string> => {
  const merchantByCode = new Map<string, string>()
  const indexed = new Map<string, readonly string[]>()
  states.onChange((merchantId) => {
    const { open } = states.stateOf(handoffs, merchantId)
    const before = indexed.get(merchantId) ?? []
    if (open.length === 0 && before.length === 0) return
    for (const codeHash of before) merchantByCode.delete(codeHash)
    const codes = open.map(({ codeHash }) => codeHash)
    for (const codeHash of codes) merchantByCode.set(codeHash, merchantId)
    if (codes.length === 0) indexed.delete(merchantId)
    else indexed.set(merchantId, codes)
  })
  return merchantByCode
}
