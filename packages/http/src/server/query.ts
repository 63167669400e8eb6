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

const WHOLE = /^\d{1,9}$/

/** A whole number of a query; the default when it is not given or blank, undefined when it is something else. */
export const wholeNumberOf = (query: URLSearchParams, name: string, otherwise: number): number | undefined => {
  const text = query.get(name) ?? ''
  if (text === '') return otherwise
  return WHOLE.test(text) ? Number(text) : undefined
}
