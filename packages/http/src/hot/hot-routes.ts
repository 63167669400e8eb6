import { assert } from '@switchyard/kernel'
import { createShapedBodies, type ShapedBodies } from '../body/shaped-bodies.ts'
import type { Route } from '../route.ts'
import type { Params } from '../server/exchange.ts'

/** A hot route, and what the path says of its parameters. */
export interface FoundRoute {
  readonly route: Route
  readonly params: Params
  /** What is known of the bodies of the route. */
  readonly shaped: ShapedBodies
}

/** The hot route of a path exactly as it was sent; undefined leaves it to Express. */
export type FindHotRoute = (path: string) => FoundRoute | undefined

/** A parameter that needs no decoding; any other is Express's to take apart. */
const PLAIN_VALUE = '([A-Za-z0-9._~-]+)'
const PARAMETER = /:(\w+)/g

/** Reads the parameters of a path; undefined when it is another's. */
const matcherOf = (route: Route): FindHotRoute => {
  const names = [...route.spec.path.matchAll(PARAMETER)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${route.spec.path.replaceAll(PARAMETER, PLAIN_VALUE)}$`)
  const shaped = createShapedBodies()
  return (path) => {
    const values = pattern.exec(path)
    if (values === null) return undefined
    return { route, params: Object.fromEntries(names.map((name, index) => [name, values[index + 1] ?? ''])), shaped }
  }
}

/** {@link FindHotRoute} among all routes of a server: exact paths first, then those with parameters. */
export const createFindHotRoute = (routes: readonly Route[]): FindHotRoute => {
  const hot = routes.filter(({ spec }) => spec.hot)
  for (const { spec } of hot) assert(spec.method === 'POST', `${spec.path} cannot be a hot route`)
  const isPlain = ({ spec }: Route): boolean => !spec.path.includes(':')
  const exact = new Map(
    hot.filter(isPlain).map((route): [string, FoundRoute] => [route.spec.path, { route, params: {}, shaped: createShapedBodies() }]),
  )
  const matchers = hot.filter((route) => !isPlain(route)).map(matcherOf)
  for (const { spec } of routes) {
    assert(!matchers.some((match) => match(spec.path) !== undefined), `a hot route stands in front of ${spec.path}`)
  }
  return (path) => {
    const found = exact.get(path)
    if (found !== undefined) return found
    for (const match of matchers) {
      const matched = match(path)
      if (matched !== undefined) return matched
    }
    return undefined
  }
}
