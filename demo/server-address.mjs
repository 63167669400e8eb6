/**
 * Where a server is, by the option `--url`: `http` or `https`, and no more than the origin; null where it was not given. Throws with a
 * sentence for the user.
 *
 * @param {string | undefined} text
 */
export const serverAddress = (text) => {
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : undefined
  // An address without `http://` is taken for one of a protocol `localhost:`, which has no origin.
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error(`--url must be an address such as http://127.0.0.1:8080, not ${text}`)
  return url.origin
}
