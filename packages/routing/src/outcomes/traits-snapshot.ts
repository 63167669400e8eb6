import type { HealthKnobs } from '../elimination/gateway-health.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { type PaymentTraits, withTraitKeys } from './payment-traits.ts'

const writeElimination = (writer: ByteWriter, knobs: HealthKnobs | null): void => {
  writer.count(knobs === null ? 0 : 1)
  if (knobs === null) return
  writer.number(knobs.threshold)
  writer.count(knobs.latencyLimitMs === null ? 0 : 1)
  writer.number(knobs.latencyLimitMs ?? 0)
  writer.number(knobs.halfLifeMs)
  writer.number(knobs.sampleCount)
  writer.number(knobs.failureRunCount)
  writer.number(knobs.recoveryRunCount)
  writer.number(knobs.ageMsMax)
}

const readElimination = (reader: ByteReader): HealthKnobs | null => {
  if (reader.count() === 0) return null
  const threshold = reader.number()
  const isLimited = reader.count() === 1
  const latencyLimitMs = reader.number()
  return {
    threshold,
    latencyLimitMs: isLimited ? latencyLimitMs : null,
    halfLifeMs: reader.number(),
    sampleCount: reader.number(),
    failureRunCount: reader.number(),
    recoveryRunCount: reader.number(),
    ageMsMax: reader.number(),
  }
}

/** What many decisions have in common as bytes. */
export const writeTraits = (writer: ByteWriter, traits: PaymentTraits): void => {
  writer.text(traits.paymentMethodType)
  writer.text(traits.paymentMethod)
  writer.textOrNull(traits.cardNetwork)
  writer.text(traits.currency)
  writer.textOrNull(traits.country)
  writer.textOrNull(traits.authType)
  writer.text(traits.dimensionKey)
  writer.count(traits.candidates.length)
  for (const candidate of traits.candidates) writer.text(candidate)
  writer.count(traits.bucketSize)
  writer.integer(traits.latencyThresholdMs)
  writer.count(traits.outcomeWindowMs === null ? 0 : 1)
  writer.integer(traits.outcomeWindowMs ?? 0)
  writer.count(traits.adaptive ? 1 : 0)
  writer.text(traits.healthGroup)
  writeElimination(writer, traits.elimination)
  writer.count(traits.bySuccessRate ? 1 : 0)
}

/** What {@link writeTraits} wrote. */
export const readTraits = (reader: ByteReader): PaymentTraits => {
  const fields = {
    paymentMethodType: reader.text(),
    paymentMethod: reader.text(),
    cardNetwork: reader.textOrNull(),
    currency: reader.text(),
    country: reader.textOrNull(),
    authType: reader.textOrNull(),
    dimensionKey: reader.text(),
    candidates: reader.list(() => reader.text()),
    bucketSize: reader.count(),
    latencyThresholdMs: reader.integer(),
  }
  const isLimited = reader.count() === 1
  const outcomeWindowMs = reader.integer()
  return withTraitKeys({
    ...fields,
    outcomeWindowMs: isLimited ? outcomeWindowMs : null,
    adaptive: reader.count() === 1,
    healthGroup: reader.text(),
    elimination: readElimination(reader),
    bySuccessRate: reader.count() === 1,
  })
}
