import { expect, test } from '@jest/globals'
import type { WebhooksEvent } from '@switchyard/events'
import { finished } from '../chains/sample-chain.fixture.ts'
import { type Recovery, webhookRecoveries } from './webhook-recoveries.ts'

const key = ['m1', 'rec_1']
const after = (...events: readonly WebhooksEvent[]): Recovery =>
  events.reduce(
    (view: Recovery, event, offset) =>
      webhookRecoveries.project(
        view,
        { event, effects: { expectedVersion: undefined }, position: { partition: 0, offset }, eventId: `e${offset}` },
        key,
      ),
    webhookRecoveries.initialView(key),
  )
const started: WebhooksEvent = {
  type: 'RecoveryStarted',
  data: {
    merchantId: 'm1',
    taskId: 'rec_1',
    sinceAt: 1,
    untilAt: 2,
    profileId: null,
    eventTypes: [],
    onlyUndelivered: true,
    matchedCount: 1,
    at: 10,
  },
}
const ended = (at: number): WebhooksEvent => ({ type: 'RecoveryFinished', data: { merchantId: 'm1', taskId: 'rec_1', at } })

test('a recovery that two processes carried out ended when the first of them was done', () => {
  expect(after(started, ended(20), ended(30))).toMatchObject({ status: 'completed', finishedAt: 20 })
})

test('an attempt of it that ends later still counts', () => {
  expect(after(started, ended(20), finished('e1', 25, 200, null))).toMatchObject({ finishedAt: 20, attemptedCount: 1, deliveredCount: 1 })
})

test('its place in the log is known while it runs, and is no part of what it was', () => {
  expect(after(finished('e0', 5, 200, null), started)).toMatchObject({ status: 'running', startedOffset: 1 })
  expect(after(started, ended(20))).not.toHaveProperty('startedOffset')
})
