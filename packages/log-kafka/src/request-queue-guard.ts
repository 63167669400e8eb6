import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'

const { prototype } = RequestQueue
const schedule = prototype.scheduleCheckPendingRequests

/**
 * The driver re-arms a timer of 1 ms for every connection, for ever, also when nothing waits: 1-3 % of a core, idle. A
 * check is needed only while requests wait; the next one that has to wait arms it again.
 */
prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this)
}
