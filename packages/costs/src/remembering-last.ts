/** The same function, which is not asked again for what it was asked for just before. */
export const rememberingLast = <Asked, Value>(find: (asked: Asked) => Value): ((asked: Asked) => Value) => {
  let last: { readonly asked: Asked; readonly value: Value } | undefined
  return (asked) => {
    if (last === undefined || last.asked !== asked) last = { asked, value: find(asked) }
    return last.value
  }
}
