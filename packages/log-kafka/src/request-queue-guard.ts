import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'

const { prototype } = RequestQueue
const { scheduleCheckPendingRequests: schedule, sendSocketRequest: send } = prototype

/**
 * The driver re-arms a timer of 1 ms for every connection, for ever, also when nothing waits: 1-3 % of a core, idle. A
 * check is needed only while requests wait; the next one that has to wait arms it again.
 */
prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this)
}

/**
 * The driver tells by the clock of the day how long a request has waited for its answer: one set forward would fail all that is under
 * way, and one set back keep them waiting for hours on a connection that is dead. So the time of sending moves with the clock.
 */
prototype.sendSocketRequest = function sendWithMovingTime(this: RequestQueue, request): void {
  send.call(this, request)
  const sentMs = performance.now()
  Object.defineProperty(request, 'sentAt', { get: () => Date.now() - (performance.now() - sentMs) })
}
