declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The part of the driver's queue of requests that the guard changes, and that its test drives. */
  class RequestQueue {
    constructor(options: object)
    readonly pending: readonly unknown[]
    /** Epoch ms up to which the broker asked for silence. */
    throttledUntil: number
    push: (request: object) => void
    checkPendingRequests: () => void
    scheduleCheckPendingRequests: (this: RequestQueue) => void
  }
  export default RequestQueue
}
