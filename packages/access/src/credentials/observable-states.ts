/** The folded states that are indexed; the runtime's stream states fit. */
export interface ObservableStates {
  readonly stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, key: string) => State
  /** Calls `listener` for every key whose states changed, and once for every key that is loaded. */
  readonly onChange: (listener: (key: string) => void) => void
}
