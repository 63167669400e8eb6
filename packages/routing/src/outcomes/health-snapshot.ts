import { GatewayHealth } from '../elimination/gateway-health.ts'
import { MerchantHealth } from '../elimination/merchant-health.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import type { PaymentFoldLimits } from './limits.ts'

/** The health of a merchant's gateways as bytes. */
export const writeHealth = (writer: ByteWriter, health: MerchantHealth): void => {
  writer.count(health.passedCount)
  writer.count(health.size)
  for (const [key, { state }] of health.entries()) {
    writer.text(key)
    writer.number(state.weight)
    writer.number(state.successWeight)
    writer.integer(state.at)
    writer.integer(state.run)
    writer.count(state.outage === null ? 0 : 1)
    if (state.outage === null) continue
    writer.integer(state.outage.since)
    writer.integer(state.outage.probedAt)
    writer.count(state.outage.paymentCount)
  }
}

/** What {@link writeHealth} wrote. */
export const readHealth = (reader: ByteReader, limits: PaymentFoldLimits): MerchantHealth => {
  const health = new MerchantHealth(limits.windowCountMax, reader.count())
  reader.list(() => {
    const key = reader.text()
    const figures = { weight: reader.number(), successWeight: reader.number(), at: reader.integer(), run: reader.integer() }
    const isDown = reader.count() === 1
    const outage = isDown ? { since: reader.integer(), probedAt: reader.integer(), paymentCount: reader.count() } : null
    health.restore(key, GatewayHealth.restore({ ...figures, outage }))
  })
  return health
}
