import { GATEWAYS } from './market.mjs'

const bestBy = (rateOf) => GATEWAYS.reduce((best, gateway) => (rateOf(gateway) > rateOf(best) ? gateway : best))

/**
 * The routers that Switchyard is compared with. Each is a function from a payment to a gateway; two of them look into the
 * market, which no real router can.
 *
 * @param {import('./market.mjs').Market} market
 */
export const referenceRouters = (market) => [
  { name: 'round-robin', choose: (payment) => GATEWAYS[payment.index % GATEWAYS.length] },
  {
    name: 'best per method',
    choose: ({ index, method }) => bestBy((gateway) => market.visibleRateOf(gateway, method.key, index)),
  },
  { name: 'all-knowing', choose: (payment) => bestBy((gateway) => market.rateOf(gateway, payment)) },
]
