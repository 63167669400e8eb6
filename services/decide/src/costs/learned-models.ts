import {
  type AccountAddOn,
  categoryCountsOfFit,
  compileLearnedCosts,
  dominantRates,
  type FitChunk,
  fittedClusterOf,
  type LearnedCosts,
  type LearnedFit,
  type PositionedChunk,
  servedAddOn,
  wholeFit,
} from '@switchyard/costs'
import type { Position } from '@switchyard/kernel'

/** Chunks of an account that may wait for the others of their fits; beyond it the oldest ones are given up. */
const WAITING_CHUNK_COUNT_MAX = 10_000

/** What is learned of a merchant now. */
export interface LearnedModelNews {
  readonly merchantId: string
  /** Which registration of the merchant id it is of. */
  readonly merchantRegistrationCount: number
  /** Of the last fit that it includes. */
  readonly position: Position
  readonly costs: LearnedCosts
}

/** What invoices add for a merchant now. */
export interface MerchantAddOns {
  readonly merchantId: string
  readonly addOns: readonly AccountAddOn[]
}

interface Account {
  fit: LearnedFit | undefined
  /** Chunks of fits that are newer and not whole yet. */
  waiting: FitChunk[]
}

interface Merchant {
  readonly accounts: Map<string, Account>
  position: Position
}

const productsOf = (fits: readonly LearnedFit[]): ReadonlyMap<string, string> =>
  dominantRates(fits.flatMap(({ binRates }) => binRates.map(({ bin, rate, paymentCount }) => ({ bin, rate, count: paymentCount, day: 0 }))))

/** What is learned, by merchant, and which of it is not compiled yet. Lives in a thread of its own. */
export class LearnedModels {
  readonly #merchants: Map<string, Merchant> = new Map()
  readonly #addOns: Map<string, readonly AccountAddOn[]> = new Map()
  readonly #changed: Set<string> = new Set()

  /** Takes a chunk in. An older fit than the one there is changes nothing. */
  add({ chunk, position }: PositionedChunk): void {
    const merchant = this.#merchants.get(chunk.merchantId) ?? { accounts: new Map<string, Account>(), position }
    this.#merchants.set(chunk.merchantId, merchant)
    const key = JSON.stringify([chunk.connector, chunk.account])
    const account = merchant.accounts.get(key) ?? { fit: undefined, waiting: [] }
    merchant.accounts.set(key, account)
    if (isOlder(chunk, account)) return
    const whole = wholeFit(gathered(account, chunk))
    if (whole === undefined) return
    account.waiting = account.waiting.filter(({ fitCount }) => fitCount > whole.fitCount)
    account.fit = whole
    // All of a merchant stands in one partition.
    if (position.offset > merchant.position.offset) merchant.position = position
    this.#changed.add(chunk.merchantId)
  }

  /** Takes in what invoices add to the learned costs of a merchant, in place of what they added before. */
  setAddOns({ merchantId, addOns }: MerchantAddOns): void {
    this.#addOns.set(merchantId, addOns)
    if (this.#merchants.has(merchantId)) this.#changed.add(merchantId)
  }

  /** Compiles what has changed since the last call. */
  *compiled(): Generator<LearnedModelNews> {
    for (const merchantId of this.#changed) {
      this.#changed.delete(merchantId)
      const merchant = this.#merchants.get(merchantId)
      if (merchant !== undefined) yield compile(merchantId, merchant, this.#addOns.get(merchantId) ?? [])
    }
  }
}

const isOlder = (chunk: FitChunk, { fit }: Account): boolean =>
  fit !== undefined && fit.merchantRegistrationCount === chunk.merchantRegistrationCount
    ? fit.fitCount >= chunk.fitCount
    : (fit?.merchantRegistrationCount ?? 0) > chunk.merchantRegistrationCount

/** The chunks of the same fit as this one, with it. */
const gathered = (account: Account, chunk: FitChunk): readonly FitChunk[] => {
  account.waiting = [...account.waiting, chunk].slice(-WAITING_CHUNK_COUNT_MAX)
  return account.waiting.filter(({ fitId }) => fitId === chunk.fitId)
}

/** Fits of an earlier registration of the merchant id count no more. */
const compile = (merchantId: string, { accounts, position }: Merchant, addOns: readonly AccountAddOn[]): LearnedModelNews => {
  const all = [...accounts.values()].flatMap(({ fit }) => fit ?? [])
  const merchantRegistrationCount = Math.max(...all.map((fit) => fit.merchantRegistrationCount))
  const fits = all.filter((fit) => fit.merchantRegistrationCount === merchantRegistrationCount)
  const costs = compileLearnedCosts({
    accounts: fits.map(({ connector, account, clusters }) => ({
      connector,
      account,
      clusters: clusters.map(fittedClusterOf),
      addOn: servedAddOn({ addOns }, { connector, account, clusters }),
    })),
    categoryCounts: fits.flatMap(categoryCountsOfFit),
    productByBin: productsOf(fits),
  })
  return { merchantId, merchantRegistrationCount, position, costs }
}
