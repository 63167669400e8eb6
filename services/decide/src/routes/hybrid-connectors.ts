/** A connector as answers have it. */
export interface Connector {
  readonly gateway_name: string
  readonly gateway_id: string | null
}

const ID_MARK = ':'

/** The only id under which a name stands among connectors; null when there are several, or none. */
const idOf = (name: string, connectors: readonly Connector[]): string | null => {
  const [first, ...others] = connectors.filter(({ gateway_name }) => gateway_name === name)
  return first === undefined || others.some(({ gateway_id }) => gateway_id !== first.gateway_id) ? null : first.gateway_id
}

/**
 * The connector that a decision chose. Gateways are `name` or `name:id`; a name alone gets back the id that it has among the
 * connectors of the rules (rules.md 9).
 */
export const decidedConnector = (decision: unknown, connectors: readonly Connector[]): Connector => {
  const gateway = String(Reflect.get(Object(decision), 'decided_gateway'))
  const mark = gateway.indexOf(ID_MARK)
  return mark < 0
    ? { gateway_name: gateway, gateway_id: idOf(gateway, connectors) }
    : { gateway_name: gateway.slice(0, mark), gateway_id: gateway.slice(mark + 1) }
}
