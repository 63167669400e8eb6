import type { PaymentKind } from '../reports/canonical-row.ts'
import { detached } from '../reports/detached.ts'
import { unitAt } from '../reports/unit-at.ts'
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

/** Kinds that were asked for lately: a few hundred make up nearly all rows of a file. */
const LATELY_COUNT = 4_096
const MULTIPLIER = 31

interface Found<Value> {
  readonly cluster: FitCluster
  readonly value: Value
}

/** Where a kind lies among the {@link LATELY_COUNT}: by a few characters, in which most kinds differ. */
const latelySlotOf = ({ variant, issuerCountry, interchangeCategory, currency }: PaymentKind, cardProduct: string): number => {
  let hash = variant.length * MULTIPLIER + unitAt(variant, variant.length >> 1) + unitAt(variant, 0)
  hash = hash * MULTIPLIER + unitAt(issuerCountry, 0)
  hash = hash * MULTIPLIER + unitAt(issuerCountry, 1)
  hash = hash * MULTIPLIER + interchangeCategory.length
  hash = hash * MULTIPLIER + unitAt(interchangeCategory, interchangeCategory.length - 1)
  hash = hash * MULTIPLIER + unitAt(currency, 0)
  hash = hash * MULTIPLIER + cardProduct.length + unitAt(cardProduct, 0)
  return hash & (LATELY_COUNT - 1)
}

const isOf = (cluster: FitCluster, kind: PaymentKind, cardProduct: string): boolean =>
  cluster.issuerCountry === kind.issuerCountry &&
  cluster.variant === kind.variant &&
  cluster.interchangeCategory === kind.interchangeCategory &&
  cluster.cardNetwork === kind.cardNetwork &&
  cluster.funding === kind.funding &&
  cluster.currency === kind.currency &&
  cluster.cardProduct === cardProduct

/** Something for each cluster, found without making a text of it: this is asked for every row of a file. */
export class ClusterIndex<Value> {
  readonly #root: Node<Found<Value>> = newNode()
  readonly #create: (cluster: FitCluster) => Value
  /** Comparing texts takes a third of what looking them up does. */
  readonly #lately: (Found<Value> | undefined)[] = new Array(LATELY_COUNT).fill(undefined)

  constructor(create: (cluster: FitCluster) => Value) {
    this.#create = create
  }

  of(kind: PaymentKind, cardProduct: string): Value {
    const slot = latelySlotOf(kind, cardProduct)
    const lately = this.#lately[slot]
    if (lately !== undefined && isOf(lately.cluster, kind, cardProduct)) return lately.value
    const found = this.#find(kind, cardProduct)
    this.#lately[slot] = found
    return found.value
  }

  #find(kind: PaymentKind, cardProduct: string): Found<Value> {
    let node = childOf(this.#root, kind.cardNetwork)
    node = childOf(node, kind.variant)
    node = childOf(node, kind.funding)
    node = childOf(node, kind.issuerCountry)
    node = childOf(node, kind.currency)
    node = childOf(node, kind.interchangeCategory)
    node = childOf(node, cardProduct)
    node.value ??= this.#add({
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

  #add(cluster: FitCluster): Found<Value> {
    return { cluster, value: this.#create(cluster) }
  }
}
