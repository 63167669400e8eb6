import { describe, expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import { OperatingError, type Position } from '@switchyard/kernel'
import { createGatewayErrorTable, createPaymentFold } from '@switchyard/routing'
import { UPLOAD_GROUP_COUNT, UPLOAD_GROUPS_IN_FLIGHT_MAX } from '../limits.ts'
import { createOutcomeEventOf } from '../outcome-event.ts'
import { outcomeBody } from '../sample-service.fixture.ts'
import type { Element } from './elements.ts'
import { recordUpload, type Upload } from './record-upload.ts'
import { refused } from './upload-results.ts'

const textOf = (paymentId: string, merchantId = 'm_9'): string => JSON.stringify(outcomeBody({ paymentId, merchantId }))

const elementsOf = async function* (texts: readonly string[]): AsyncGenerator<readonly Element[]> {
  yield texts.map((text, index) => ({ number: index + 1, text }))
}

interface Stage {
  /** Payments by append. */
  readonly appended: (string | null)[][]
  readonly record: (texts: readonly string[]) => AsyncGenerator<string>
}

const stage = (change: Partial<Upload> = {}): Stage => {
  const appended: (string | null)[][] = []
  let count = 0
  const appendAll = async (events: readonly PaymentsEvent[]): Promise<readonly Position[]> => {
    appended.push(events.map(({ data }) => ('paymentId' in data ? data.paymentId : null)))
    return events.map(() => ({ partition: 0, offset: count++ }))
  }
  const upload: Upload = {
    now: () => 1_000,
    requestId: 'r_1',
    key: null,
    fold: createPaymentFold(),
    outcomeEventOf: createOutcomeEventOf(
      { stateOf: ({ initialState }) => initialState, readIndex: () => Promise.resolve() },
      createGatewayErrorTable([]),
    ),
    refuseMerchant: () => Promise.resolve(undefined),
    appender: { appendAll },
    ...change,
  }
  return { appended, record: (texts) => recordUpload(upload, elementsOf(texts)) }
}

const answerOf = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}
const resultsOf = async (pieces: AsyncIterable<string>): Promise<readonly unknown[]> =>
  (await answerOf(pieces))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ code, result }) => code ?? result)

const paymentIds = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `p_${i}`)

describe('outcomes of an upload', () => {
  test('are appended group by group, and answered with their positions', async () => {
    const { appended, record } = stage()
    const ids = paymentIds(UPLOAD_GROUP_COUNT + 1)
    const answer = await answerOf(record(ids.map((id) => textOf(id))))
    expect(answer).toBe(ids.map((_, i) => `{"line":${i + 1},"result":"accepted","position":"payments-0-${i}"}\n`).join(''))
    expect(appended).toEqual([ids.slice(0, UPLOAD_GROUP_COUNT), ids.slice(UPLOAD_GROUP_COUNT)])
  })

  test('keep their places among lines that are not appended', async () => {
    const refuseMerchant: Upload['refuseMerchant'] = async (id) => (id === 'm_9' ? undefined : refused('MERCHANT_NOT_FOUND', 'no'))
    const { appended, record } = stage({ refuseMerchant })
    const texts = ['{', textOf('p_1'), textOf('p_1'), textOf('p_2', 'm_8'), textOf('p_3')]
    expect(await resultsOf(record(texts))).toEqual(['INVALID_INPUT', 'accepted', 'duplicate', 'MERCHANT_NOT_FOUND', 'accepted'])
    expect(appended).toEqual([['p_1', 'p_3']])
  })

  test('are no duplicates of others that count differently', async () => {
    const { appended, record } = stage()
    const pending = { paymentId: 'p_1', status: 'PENDING' }
    const texts = [pending, { ...pending, enforceDynamicRoutingFailure: true }, pending].map((change) =>
      JSON.stringify(outcomeBody(change)),
    )
    expect(await resultsOf(record(texts))).toEqual(['accepted', 'accepted', 'duplicate'])
    expect(appended).toEqual([['p_1', 'p_1']])
  })

  test('told as duplicates are so when the upload is sent again', async () => {
    const fold = createPaymentFold()
    let count = 0
    const appendAll: Upload['appender']['appendAll'] = async (events) => {
      for (const event of events) fold.apply(event)
      return events.map(() => ({ partition: 0, offset: count++ }))
    }
    const { record } = stage({ key: 'k_1', fold, appender: { appendAll } })
    const texts = [textOf('p_1'), textOf('p_2'), textOf('p_1')]
    expect(await resultsOf(record(texts))).toEqual(['accepted', 'accepted', 'duplicate'])
    expect(await resultsOf(record(texts))).toEqual(['duplicate', 'duplicate', 'duplicate'])
    expect(count).toBe(2)
  })

  test('wait for their merchants at the same time', async () => {
    const asked: string[] = []
    const refuseMerchant: Upload['refuseMerchant'] = (id) => {
      asked.push(id)
      return new Promise(() => {})
    }
    const { record } = stage({ refuseMerchant })
    void record([textOf('p_1', 'm_1'), textOf('p_2', 'm_2'), textOf('p_3', 'm_1')]).next()
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
    expect(asked).toEqual(['m_1', 'm_2'])
  })

  test('keep the order of their merchant while another one is asked for', async () => {
    let tellApart: () => void = () => {}
    const asked = new Promise<undefined>((resolve) => {
      tellApart = () => resolve(undefined)
    })
    const refuseMerchant: Upload['refuseMerchant'] = (id) => (id === 'm_9' ? Promise.resolve(undefined) : asked)
    const { appended, record } = stage({ refuseMerchant })
    const ids = paymentIds(2 * UPLOAD_GROUP_COUNT)
    const answered = answerOf(record(ids.map((id, i) => textOf(id, i === 50 ? 'm_8' : 'm_9'))))
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
    expect(appended).toEqual([])
    tellApart()
    await answered
    expect(appended.flat()).toEqual(ids)
  })

  test('that could not be stored are refused together, and said again they are no duplicates', async () => {
    const away = new OperatingError('LOG_UNAVAILABLE', 'the log is away', { retryable: true })
    let failureCount = 0
    const appendAll: Upload['appender']['appendAll'] = async (events) => {
      if (failureCount++ === 0) throw away
      return events.map((_, offset) => ({ partition: 0, offset }))
    }
    const { record } = stage({ appender: { appendAll } })
    const texts = paymentIds(UPLOAD_GROUP_COUNT).map((id) => textOf(id))
    expect(await resultsOf(record([...texts, '{', ...texts.slice(1)]))).toEqual([
      ...new Array(UPLOAD_GROUP_COUNT).fill('LOG_UNAVAILABLE'),
      'INVALID_INPUT',
      ...new Array(UPLOAD_GROUP_COUNT - 1).fill('accepted'),
    ])
  })

  test('a fault that is none of the log breaks the answer off', async () => {
    const { record } = stage({ appender: { appendAll: () => Promise.reject(new Error('a bug')) } })
    await expect(answerOf(record([textOf('p_1')]))).rejects.toThrow('a bug')
  })

  test('wait when too many groups are on their way', async () => {
    let appendCount = 0
    const appendAll: Upload['appender']['appendAll'] = () => {
      appendCount += 1
      return new Promise(() => {})
    }
    const { record } = stage({ appender: { appendAll } })
    const ids = paymentIds((UPLOAD_GROUPS_IN_FLIGHT_MAX + 3) * UPLOAD_GROUP_COUNT)
    void record(ids.map((id) => textOf(id))).next()
    for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate)
    expect(appendCount).toBe(UPLOAD_GROUPS_IN_FLIGHT_MAX)
  })
})
