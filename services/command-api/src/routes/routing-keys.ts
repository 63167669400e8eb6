import type { Route } from '@switchyard/http'
import { assertNever } from '@switchyard/kernel'
import type { Catalogue, RoutingKey } from '@switchyard/routing'
import { routingKeyCatalogue } from './answer-schemas.ts'

const UNBOUNDED = {
  values: null,
  min_value: null,
  max_value: null,
  min_length: null,
  max_length: null,
  exact_length: null,
  regex: null,
}

/** All members of an entry, in the order of rules.md 4.1. */
const printKey = (key: RoutingKey): object => {
  switch (key.type) {
    case 'integer':
      return { type: 'integer', ...UNBOUNDED, min_value: key.minValue, max_value: key.maxValue }
    case 'enum':
      return { type: 'enum', ...UNBOUNDED, values: key.values.join(', ') }
    case 'text':
    case 'metadata': {
      const bounds = { min_length: key.minLength, max_length: key.maxLength, exact_length: key.exactLength, regex: key.regex }
      return { type: key.type === 'text' ? 'str_value' : 'udf', ...UNBOUNDED, ...bounds }
    }
    case 'globalRef':
      return { type: 'global_ref', ...UNBOUNDED }
    default:
      return assertNever(key)
  }
}

/** `GET /config/routing-keys`: the vocabulary of rule builders (rules.md 4.1). */
export const routingKeysRoute = (catalogue: Catalogue): Route => ({
  spec: {
    method: 'GET',
    path: '/config/routing-keys',
    access: 'protected',
    permission: 'routing:read',
    tenant: false,
    body: 'none',
    hot: false,
  },
  api: { summary: 'The keys and values that rules may name', answer: routingKeyCatalogue },
  handle: () => ({ status: 200, body: { keys: Object.fromEntries([...catalogue.keys].map(([name, key]) => [name, printKey(key)])) } }),
})
