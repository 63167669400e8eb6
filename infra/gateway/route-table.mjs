// The route table as data: which service of a cluster answers which method and path. It is read from the factories that
// the services mount, so it can't say anything else than they do.
import { createCommandApi } from '@switchyard/command-api'
import { costRoutes } from '@switchyard/cost-ingestion'
import { createDecideService } from '@switchyard/decide'
import { createQueryApi } from '@switchyard/query-api'
import { webhookRoutes } from '@switchyard/webhook-dispatcher'

/**
 * Dependencies that can be taken apart but not used: a factory of routes may hand them on, and nothing more. One that
 * works while it builds its routes ends here, with the name of what it called.
 */
const unusable = (name, optional = []) =>
  new Proxy(() => {}, {
    get: (_target, member) => (typeof member === 'string' && !optional.includes(member) ? unusable(`${name}.${member}`) : undefined),
    apply: () => {
      throw new Error(`a factory of routes calls ${name} before there is a request: the route table can't be read`)
    },
  })

/** What a deployment may leave open is left open. */
const rowOf = (service, create, optional) => ({ service, routes: create(unusable(service, optional)).routes })

const rows = [
  rowOf('command-api', createCommandApi),
  rowOf('decide', createDecideService, ['scoringDefaults', 'eliminationRules']),
  rowOf('query-api', createQueryApi),
  rowOf('webhook-dispatcher', (deps) => ({ routes: webhookRoutes(deps) })),
  rowOf('cost-ingestion', (deps) => ({ routes: costRoutes(deps) })),
]

export const routeTable = rows.map(({ service, routes }) => ({ service, specs: routes.map(({ spec }) => spec) }))

/** Every route with what it says of itself, for the description of the interface. */
export const interfaceRoutes = rows.flatMap(({ routes }) => routes)
