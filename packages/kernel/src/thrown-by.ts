/** What a call throws; undefined when it throws nothing. */
export const thrownBy = (call: () => void): unknown => {
  try {
    call()
    return undefined
  } catch (error) {
    return error
  }
}
