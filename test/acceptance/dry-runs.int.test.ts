import { beforeEach, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { feedbackClient } from '../support/feedback-client.ts'
import { condition, program, ref, rule, rulesClient, word } from '../support/rules-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { decide, report } = feedbackClient(
  () => server.url,
  () => merchant,
)
const { post, create, activate, evaluate, headOf } = rulesClient(
  () => server.url,
  () => merchant,
)

describe('dry run', () => {
  const euros = rule('euros', 'checkout', condition('currency', 'equal', word('EUR')))

  test('a draft is evaluated beside the live algorithm, and the trace says why rules failed', async () => {
    await activate(program([]))
    const draft = (
      await create(program([rule('big', 'adyen', condition('amount', 'greater_than', { type: 'number', value: 100 })), euros]))
    ).json.rule_id
    const parameters = { amount: { type: 'number', value: 5 }, currency: word('EUR') }
    const { json } = await evaluate(parameters, { routing_algorithm_id: draft, trace: true })
    expect(json.evaluated_output).toEqual([ref('checkout')])
    expect(json.trace).toEqual([
      {
        rule: 'big',
        result: 'failed',
        failed: [
          { path: 'rules[0].statements[0].condition[0]', lhs: 'amount', comparison: 'greater_than', seen: { type: 'number', value: 5 } },
        ],
      },
      { rule: 'euros', result: 'matched', failed: [] },
    ])
    expect((await evaluate(parameters)).json).not.toHaveProperty('trace')
    expect(await headOf(parameters)).toBe('stripe')
  })

  const simulate = async (body: object, headers: Readonly<Record<string, string>>) => {
    const answer = await post('/routing/simulate', body, headers)
    return {
      ...answer,
      lines: answer.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    }
  }

  test('recorded payments go through a draft: who would move, and how both groups did', async () => {
    const draft = (await create(program([euros]))).json.rule_id
    const outcomes = ['CHARGED', 'CHARGED', 'FAILURE', 'CHARGED', 'PENDING_VBV', 'FAILURE']
    let last = await decide('p_none')
    for (const [index, status] of outcomes.entries()) {
      const paymentInfo = {
        currency: index < 4 ? 'EUR' : 'USD',
        paymentMethodType: 'CARD',
        paymentMethod: 'CREDIT',
        paymentType: 'ORDER_PAYMENT',
      }
      const change = { rankingAlgorithm: 'PL_BASED_ROUTING', paymentInfo: { paymentId: `p_${index}`, amount: 10, ...paymentInfo } }
      expect(
        (await post('/decide-gateway', { merchantId: merchant.id, eligibleGatewayList: ['stripe', 'checkout'], ...change })).json
          .decided_gateway,
      ).toBe('stripe')
      last = await report(`p_${index}`, status)
    }
    const position = { 'x-min-log-position': last.headers.get('x-log-position') ?? '' }
    const whole = await simulate({ routing_algorithm_id: draft, range: '1h' }, position)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    expect(whole.lines[0]).toEqual({ type: 'progress', examined: 7, changed: 5 })
    const result = whole.lines.at(-1)
    expect(result).toMatchObject({
      type: 'result',
      routing_algorithm_id: draft,
      examined: 7,
      truncated: false,
      not_evaluated: { payments: 0 },
    })
    expect(result.changed).toEqual({ payments: 5, approved: 3, declined: 1, approval_rate: 0.75 })
    expect(result.unchanged).toEqual({ payments: 2, approved: 0, declined: 1, approval_rate: 0 })
    const [move] = result.moves.filter(({ from }: { from: string }) => from === 'stripe')
    expect(move).toMatchObject({ from: 'stripe', to: 'checkout', approved: 3, declined: 1 })

    const some = await simulate({ routing_algorithm_id: draft, payment_ids: ['p_1', 'p_4', 'unknown'] }, position)
    expect(some.lines.at(-1)).toMatchObject({ examined: 2, changed: { payments: 1, approved: 1 }, unchanged: { payments: 1 } })
    const cut = await simulate({ routing_algorithm_id: draft, range: '1h', limit: 3 }, position)
    expect(cut.lines.at(-1)).toMatchObject({ examined: 3, truncated: true })
    const past = await simulate({ routing_algorithm_id: draft, range: { start_ms: 1, end_ms: 2 } }, position)
    expect(past.lines.at(-1)).toMatchObject({ examined: 0, changed: { payments: 0, approval_rate: null } })
  })

  test('what a simulation refuses', async () => {
    const draft = (await create(program([]))).json.rule_id
    const asked = (body: object) => post('/routing/simulate', { routing_algorithm_id: draft, ...body })
    for (const body of [
      {},
      { range: '2h' },
      { range: '1h', payment_ids: ['p'] },
      { range: '1h', limit: 100_001 },
      { payment_ids: [] },
      { range: { start_ms: 2, end_ms: 1 } },
    ]) {
      expect((await asked(body)).status).toBe(422)
    }
    for (const range of ['2h', {}, { start_ms: 1.5, end_ms: 2 }]) {
      expect((await asked({ range })).json.message).toContain(
        'range: expected 15m, 1h, 12h, 1d or 1w, or start_ms and end_ms, whole numbers',
      )
    }
    expect(await asked({ range: '1h', routing_algorithm_id: 'none' })).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('none') },
    })
    const other = await createMerchant(server.url)
    expect((await asked({ range: '1h', created_by: other.id })).status).toBe(403)
    expect(
      (await call(server.url, 'POST /routing/simulate', { body: { routing_algorithm_id: draft, range: '1h' }, headers: admin })).status,
    ).toBe(422)
    expect((await call(server.url, 'POST /routing/simulate', { body: { range: '1h' } })).status).toBe(401)
  })
})
