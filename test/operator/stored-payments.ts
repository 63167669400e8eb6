import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PaymentEffect } from '@switchyard/analytics'
import { configProjections, domainCollections, domainSlices, paymentProjections } from '@switchyard/composition'
import { createEventCodec, type PaymentsEvent, publishedSchemaIds } from '@switchyard/events'
import type { EventLog, NewRecord, ReadStore, SchemaIds } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFold } from '@switchyard/routing'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { decidedEvent, outcomeEvent } from '../faults/payment-events.ts'

const BATCH = 2_000
const codec = createEventCodec(publishedSchemaIds(), { strict: true })

const recordOf = (event: PaymentsEvent, id: string): NewRecord => ({
  key: event.data.merchantId,
  value: codec.encode(event),
  headers: { id, type: `switchyard.payments.${event.type}` },
})

/** Payments of five merchants, a second apart: decisions and outcomes. */
export const paymentRecords = (first: number, count: number): readonly NewRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const number = first + index
    const fact = { merchantId: `m_${(number >> 1) % 5}`, paymentId: `p_${number >> 1}`, at: 1_700_000_000_000 + number * 1_000 }
    return recordOf(number % 2 === 0 ? decidedEvent(fact) : outcomeEvent(fact), `e_${number}`)
  })

/** A merchant is closed: nothing of it stays. */
export const closingRecord = (merchantId: string): NewRecord => {
  const data = { merchantId, requestId: 'req_closed', at: 1_800_000_000_000, cause: 'CLOSED', merchantRegistrationCount: 2 } as const
  return recordOf({ type: 'GatewayScoresReset', data }, `closed_${merchantId}`)
}

/** A data folder as the service has it, with this many payment events in its log and nothing projected. */
export const createDataFolder = async (dataDir: string, eventCount: number): Promise<void> => {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'switchyard.json'), '{"product":"switchyard","layout":1}\n')
  const log = createEmbeddedLog({ folder: join(dataDir, 'log'), role: 'owner' })
  for (let first = 0; first < eventCount; first += BATCH) {
    await log.append('payments', paymentRecords(first, Math.min(BATCH, eventCount - first)))
  }
  await log.close()
}

/** Its engines, opened in this process. */
export const openData = (dataDir: string): { readonly log: EventLog; readonly store: ReadStore; readonly close: () => Promise<void> } => {
  const log = createEmbeddedLog({ folder: join(dataDir, 'log'), role: 'owner' })
  const store = createEmbeddedStore({ folder: join(dataDir, 'store'), collections: domainCollections, role: 'writer' })
  const close = async (): Promise<void> => {
    await store.close()
    await log.close()
  }
  return { log, store, close }
}

/** A projector over both topics, as the service runs it. */
export const projectorOver = (log: EventLog, store: ReadStore, schemaIds: SchemaIds = publishedSchemaIds()) =>
  createProjectorService<PaymentEffect>({
    log,
    store,
    codec: createEventCodec(schemaIds, { strict: false }),
    now: Date.now,
    configSlices: domainSlices,
    configProjections,
    createPaymentFold,
    paymentProjections,
    costProjections: [],
    onFailure: (error) => {
      throw error
    },
  })

/** Projects everything that stands in the log, and stops. */
export const project = async (log: EventLog, store: ReadStore, schemaIds?: SchemaIds): Promise<void> => {
  const projector = projectorOver(log, store, schemaIds)
  await projector.start()
  await projector.caughtUp()
  await projector.stop()
}
