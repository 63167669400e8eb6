const NO_QUERY = new URLSearchParams()

/** Parses the query of a URL; undefined when an escape is broken or not UTF-8. Without a query it is one shared object: readers don't change it. */
export const parseQuery = (url: string): URLSearchParams | undefined => {
  const start = url.indexOf('?')
  if (start === -1) return NO_QUERY
  const text = url.slice(start + 1)
  try {
    if (text.includes('%')) decodeURIComponent(text)
    return new URLSearchParams(text)
  } catch {
    return undefined
  }
}
