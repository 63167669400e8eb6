const BUCKET_COUNT = 10

/** Calls of an endpoint in the last minutes, in ten buckets of time. */
export interface CallWindow {
  readonly add: (result: 'succeeded' | 'failed', nowMs: number) => void
  readonly totals: (nowMs: number) => { readonly calls: number; readonly failures: number }
}

interface Bucket {
  readonly index: number
  calls: number
  failures: number
}

export const createCallWindow = (windowMs: number): CallWindow => {
  const widthMs = windowMs / BUCKET_COUNT
  let buckets: Bucket[] = []

  const current = (nowMs: number): Bucket => {
    const index = Math.floor(nowMs / widthMs)
    const newest = buckets.at(-1)
    if (newest !== undefined && newest.index >= index) return newest
    const added = { index, calls: 0, failures: 0 }
    buckets = [...buckets.filter((bucket) => bucket.index > index - BUCKET_COUNT), added]
    return added
  }

  return {
    add: (result, nowMs) => {
      const bucket = current(nowMs)
      bucket.calls += 1
      if (result === 'failed') bucket.failures += 1
    },
    totals: (nowMs) => {
      const oldest = Math.floor(nowMs / widthMs) - BUCKET_COUNT
      let [calls, failures] = [0, 0]
      for (const bucket of buckets) {
        if (bucket.index <= oldest) continue
        calls += bucket.calls
        failures += bucket.failures
      }
      return { calls, failures }
    },
  }
}
