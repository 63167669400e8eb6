import type { PaymentKind } from '../reports/canonical-row.ts'
import { detached } from '../reports/detached.ts'
import type { FitCluster } from './fit-cluster.ts'

interface Node<Value> {
  readonly children: Map<string, Node<Value>>
  value: Value | undefined
}

const newNode = <Value>(): Node<Value> => ({ children: new Map(), value: undefined })

const childOf = <Value>({ children }: Node<Value>, part: string): Node<Value> => {
  const known = children.get(part)
  if (known !== undefined) return known
  const child = newNode<Value>()
  children.set(detached(part), child)
  return child
}

/** Something for each cluster, found without making a text of it: this is asked for every row of a file. */
export class ClusterIndex<Value> {
  readonly #root: Node<Value> = newNode()
  readonly #create: (cluster: FitCluster) => Value

  constructor(create: (cluster: FitCluster) => Value) {
    this.#create = create
  }

  of(kind: PaymentKind, cardProduct: string): Value {
    let node = childOf(this.#root, kind.cardNetwork)
    node = childOf(node, kind.variant)
    node = childOf(node, kind.funding)
    node = childOf(node, kind.issuerCountry)
    node = childOf(node, kind.currency)
    node = childOf(node, kind.interchangeCategory)
    node = childOf(node, cardProduct)
    node.value ??= this.#create({
      cardNetwork: detached(kind.cardNetwork),
      variant: detached(kind.variant),
      funding: kind.funding,
      issuerCountry: detached(kind.issuerCountry),
      currency: detached(kind.currency),
      interchangeCategory: detached(kind.interchangeCategory),
      cardProduct: detached(cardProduct),
    })
    return node.value
  }
}
