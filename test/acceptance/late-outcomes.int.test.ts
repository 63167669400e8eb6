import { beforeAll, describe, expect, test } from '@jest/globals'
import { createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { feedbackClient } from '../support/feedback-client.ts'
import { useServer } from '../support/server.ts'

const OUTCOME_WINDOW_MS = 1

const server = useServer({ SWITCHYARD_OUTCOME_WINDOW_MS: String(OUTCOME_WINDOW_MS) })
let merchant: TestMerchant
beforeAll(async () => {
  merchant = await createMerchant(server.url)
})

const { configure, decide, report, reasonsOf, scoreAfter } = feedbackClient(
  () => server.url,
  () => merchant,
)

/** The decision was made before it was answered: from then on time passes by the same clock. */
const windowIsOver = async (): Promise<void> => {
  const answeredAt = Date.now()
  await eventually(
    'the outcome window is over',
    () => decide('p_meanwhile'),
    () => Date.now() > answeredAt + OUTCOME_WINDOW_MS,
  )
}

describe('an outcome after the outcome window of the deployment', () => {
  test('counts in no score and stands in the audit with its reason', async () => {
    await configure({})
    await decide('p_1')
    await windowIsOver()
    const late = await report('p_1', 'FAILURE')
    expect(late.status).toBe(200)
    expect(await scoreAfter(late)).toBe(1)
    expect(await reasonsOf('p_1', late)).toMatchObject([{ disposition: 'late', counted_as: null, reason: expect.any(String) }])
  })

  test('counts all the same for a recurring payment', async () => {
    await decide('p_2', {}, { paymentType: 'MANDATE_PAYMENT' })
    await windowIsOver()
    const late = await report('p_2', 'FAILURE')
    expect(await reasonsOf('p_2', late)).toMatchObject([{ disposition: 'counted', counted_as: 'failure' }])
  })
})
