import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { loadDebitData } from '../debit-data/load-debit-data.ts'
import { parseNetworkFees } from '../debit-data/parse-network-fees.ts'
import { decisionBody, type SampleServiceOptions, sampleService } from '../sample-service.fixture.ts'

const PATH = '/decide-gateway'
const SHIPPED = readFileSync(new URL('../../network-fees.json', import.meta.url), 'utf8')
const enabled = (options: Partial<SampleServiceOptions> = {}) =>
  sampleService({ slices: { 'debit-routing': { enabled: true } }, ...options })
const withConnectors = (connector_networks: object): Pick<SampleServiceOptions, 'debitData'> => ({
  debitData: {
    ...loadDebitData({ networkFees: undefined, binTable: undefined }),
    networkFees: parseNetworkFees(JSON.stringify({ ...JSON.parse(SHIPPED), connector_networks })),
  },
})
const card = { issuer_country: 'US', is_regulated: false, regulated_name: 'x', card_type: 'credit' }
const body = (rankingAlgorithm: string, networks: readonly string[]): object => {
  const co_badged_card_data = { ...card, co_badged_card_networks: networks }
  const metadata = JSON.stringify({ merchant_category_code: 'c', acquirer_country: 'US', co_badged_card_data })
  return decisionBody({ rankingAlgorithm }, { metadata, amount: 1000 })
}

describe('answers with networks', () => {
  test('what supports a network is told where the deployment knows it', async () => {
    const service = enabled(withConnectors({ stripe: ['VISA'], adyen: ['visa', 'star'] }))
    const { body: answer } = await service.call(PATH, body('NTW_BASED_ROUTING', ['VISA', 'STAR', 'NYCE']))
    expect(answer).toMatchObject({
      debit_routing_output: {
        co_badged_card_networks_info: [
          { network: 'STAR', saving_percentage: 0.11, supporting_gateways: ['adyen', 'checkout'] },
          { network: 'VISA', saving_percentage: 0, supporting_gateways: ['stripe', 'adyen', 'checkout'] },
          { network: 'NYCE', saving_percentage: 0, supporting_gateways: ['checkout'] },
        ],
      },
    })
  })

  test('networks that no candidate supports are no answer', async () => {
    const none = withConnectors({ stripe: [], adyen: ['NYCE'], checkout: [] })
    const { body: answer } = await enabled(none).call(PATH, body('NTW_BASED_ROUTING', ['VISA', 'STAR']))
    expect(answer).toMatchObject({
      error_info: {
        code: 'CO_BADGED_NETWORK_NOT_FOUND',
        developer_message: 'no network of the card is known, priced and supported: VISA, STAR',
      },
    })
  })

  test('the events can be written, and tell the same', async () => {
    const service = enabled(withConnectors({ stripe: ['VISA', 'STAR'] }))
    for (const algorithm of ['NTW_BASED_ROUTING', 'NTW_SR_HYBRID_ROUTING']) {
      await service.call(PATH, body(algorithm, ['VISA', 'STAR', 'JCB']))
      await service.call(PATH, body(algorithm, ['JCB']))
    }
    const codec = createEventCodec(publishedSchemaIds(), { strict: true })
    expect(service.recorded.map((event) => codec.decode(codec.encode(event)))).toEqual(service.recorded)
    expect(service.recorded).toMatchObject([
      { type: 'GatewayDecided', data: { approach: 'NTW_BASED_ROUTING', network: { skipped: ['JCB'], source: 'METADATA' }, scores: [] } },
      {
        type: 'DecisionRefused',
        data: { stage: 'request_failed', errorCode: 'CO_BADGED_NETWORK_NOT_FOUND', rankingAlgorithm: 'NTW_BASED_ROUTING' },
      },
      {
        type: 'GatewayDecided',
        data: { approach: 'NTW_BASED_ROUTING', network: { options: [{ network: 'STAR' }, {}] }, scores: [1, 1, 1] },
      },
      { type: 'GatewayDecided', data: { network: null, networkProblem: expect.stringContaining('JCB') } },
    ])
  })
})
