import { afterEach, beforeEach, expect } from '@jest/globals'
import { RECEIVERS_ALLOWED } from './receivers/allowed.ts'
import { type Behaviour, type Receiver, startReceiver } from './receivers/receiver.ts'
import { useServer } from './server.ts'
import { createWebhookMerchant, type WebhookMerchant } from './webhook-client.ts'

/** A server for the tests of a file, and for each test a merchant of its own and receivers that it starts. */
export interface WebhookServer {
  readonly url: () => string
  readonly merchant: () => WebhookMerchant
  /** Starts a receiver and makes it the merchant's endpoint. */
  readonly configured: (behaviour: Behaviour, change?: object) => Promise<Receiver>
  /** Submits an event and gives its id. */
  readonly submitted: (change?: object) => Promise<string>
  /** Ends the receivers before the end of the test. */
  readonly stopReceivers: () => Promise<void>
}

/** Registers what starts and stops a {@link WebhookServer}. */
export const useWebhookServer = (): WebhookServer => {
  const server = useServer(RECEIVERS_ALLOWED)
  let merchant: WebhookMerchant
  let receivers: Receiver[] = []
  const stopReceivers = async (): Promise<void> => {
    await Promise.all(receivers.map((receiver) => receiver.stop()))
    receivers = []
  }
  beforeEach(async () => {
    merchant = await createWebhookMerchant(server.url)
  })
  afterEach(stopReceivers)
  return {
    url: () => server.url,
    merchant: () => merchant,
    stopReceivers,
    configured: async (behaviour, change = {}) => {
      const receiver = await startReceiver(behaviour)
      receivers.push(receiver)
      expect((await merchant.configure(receiver.url, change)).status).toBe(200)
      return receiver
    },
    submitted: async (change = {}) => {
      const { status, json } = await merchant.submit(change)
      expect(status).toBe(202)
      return json.event_id
    },
  }
}
