import {
  type AccountAddOn,
  compileLearnedCosts,
  dominantRates,
  type FitChunk,
  type LearnedCosts,
  NumberedFit,
  type PositionedChunk,
  servedAddOn,
} from '@switchyard/costs'
import type { Position } from '@switchyard/kernel'

/** Fits of an account that may wait for more of their chunks; beyond it the oldest ones are given up. */
const WAITING_FIT_COUNT_MAX = 8

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

/** A registration of a merchant id that is over. */
export interface ClosedMerchant {
  readonly merchantId: string
  readonly merchantRegistrationCount: number
}

/** A fit of an account, as far as its chunks have come. */
interface KeptFit extends Pick<FitChunk, 'fitId' | 'fitCount' | 'merchantRegistrationCount'> {
  readonly fit: NumberedFit
}

interface Account extends Pick<FitChunk, 'connector' | 'account'> {
  latest: KeptFit | undefined
  /** Fits that may be newer and are not whole yet. */
  waiting: readonly KeptFit[]
}

interface Merchant {
  readonly accounts: Map<string, Account>
  position: Position
}

/** What is learned, by merchant, and which of it is not compiled yet. Lives in a thread of its own. */
export class LearnedModels {
  readonly #merchants: Map<string, Merchant> = new Map()
  readonly #addOns: Map<string, readonly AccountAddOn[]> = new Map()
  readonly #changed: Set<string> = new Set()

  /** Takes a chunk in. An older fit than the one there is changes nothing. */
  add({ chunk, position }: PositionedChunk): void {
    const { merchantId, connector, account: name } = chunk
    const merchant = this.#merchants.get(merchantId) ?? { accounts: new Map<string, Account>(), position }
    this.#merchants.set(merchantId, merchant)
    const key = JSON.stringify([connector, name])
    const account = merchant.accounts.get(key) ?? { connector, account: name, latest: undefined, waiting: [] }
    merchant.accounts.set(key, account)
    if (isOlder(chunk, account) || !takeChunk(account, chunk)) return
    // All of a merchant stands in one partition.
    if (position.offset > merchant.position.offset) merchant.position = position
    this.#changed.add(merchantId)
  }

  /** Takes in what invoices add to the learned costs of a merchant, in place of what they added before. */
  setAddOns({ merchantId, addOns }: MerchantAddOns): void {
    if (addOns.length > 0) this.#addOns.set(merchantId, addOns)
    else this.#addOns.delete(merchantId)
    if (this.#merchants.has(merchantId)) this.#changed.add(merchantId)
  }

  /** Forgets what was learned of a merchant up to a registration that is over. */
  forget({ merchantId, merchantRegistrationCount }: ClosedMerchant): void {
    const accounts = this.#merchants.get(merchantId)?.accounts
    for (const [key, { latest, waiting }] of accounts ?? []) {
      const isNewer = [latest, ...waiting].some((kept) => (kept?.merchantRegistrationCount ?? 0) > merchantRegistrationCount)
      if (!isNewer) accounts?.delete(key)
    }
    if (accounts?.size !== 0) return
    this.#merchants.delete(merchantId)
    this.#changed.delete(merchantId)
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

type FitNumber = Pick<FitChunk, 'fitCount' | 'merchantRegistrationCount'>

/** Whether a fit comes before another one of its account; each registration of the merchant id numbers its own. */
const isBefore = (one: FitNumber, other: FitNumber): boolean =>
  one.merchantRegistrationCount === other.merchantRegistrationCount
    ? one.fitCount < other.fitCount
    : one.merchantRegistrationCount < other.merchantRegistrationCount

/** Two processes that learn at the same time number their fits alike: of these the later one stands, as it does in the documents. */
const isOlder = (chunk: FitChunk, { latest }: Account): boolean =>
  latest !== undefined && (latest.fitId === chunk.fitId || isBefore(chunk, latest))

/** Whether the fit of the chunk is whole with it; then it counts in place of the one before. */
const takeChunk = (account: Account, chunk: FitChunk): boolean => {
  const { fitId, fitCount, merchantRegistrationCount } = chunk
  let kept = account.waiting.find((one) => one.fitId === fitId)
  if (kept === undefined) {
    kept = { fitId, fitCount, merchantRegistrationCount, fit: new NumberedFit(chunk.chunkCount) }
    account.waiting = [...account.waiting, kept].slice(-WAITING_FIT_COUNT_MAX)
  }
  kept.fit.take(chunk.chunkSlot, chunk.clusters, chunk.binRates)
  if (!kept.fit.isWhole) return false
  account.waiting = account.waiting.filter((one) => one.fitId !== fitId && !isBefore(one, chunk))
  account.latest = kept
  return true
}

/** Fits of an earlier registration of the merchant id count no more. */
const compile = (merchantId: string, { accounts, position }: Merchant, addOns: readonly AccountAddOn[]): LearnedModelNews => {
  const all = [...accounts.values()].flatMap(({ latest, connector, account }) => (latest ? { ...latest, connector, account } : []))
  const merchantRegistrationCount = Math.max(...all.map((kept) => kept.merchantRegistrationCount))
  const fits = all.filter((kept) => kept.merchantRegistrationCount === merchantRegistrationCount)
  const costs = compileLearnedCosts({
    accounts: fits.map(({ connector, account, fit }) => ({
      connector,
      fit,
      addOn: servedAddOn({ addOns }, { connector, account, clusters: fit.currencies.map((currency) => ({ currency })) }),
    })),
    productByBin: dominantRates(fits.flatMap(({ fit }) => fit.binRates)),
  })
  return { merchantId, merchantRegistrationCount, position, costs }
}
