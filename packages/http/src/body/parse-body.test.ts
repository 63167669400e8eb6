import { describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import { parseBody } from './parse-body.ts'

const schema = z.object({ merchant_id: z.string(), config: z.object({ sizes: z.array(z.int()) }).nullish() })

describe('parsing a body', () => {
  test('unknown members are ignored', () => {
    expect(parseBody(schema, { merchant_id: 'm1', other: 1 })).toEqual({ ok: true, value: { merchant_id: 'm1' } })
  })
  test.each([
    [{}, 'merchant_id: '],
    [{ merchant_id: 7 }, 'merchant_id: '],
    [{ merchant_id: 'm1', config: { sizes: [1, 2.5] } }, 'config.sizes[1]: '],
    [[], 'body: '],
    ['text', 'body: '],
    [null, 'body: '],
  ])('%j is answered 422 and says where', (body, where) => {
    expect(parseBody(schema, body)).toMatchObject({
      ok: false,
      reply: {
        status: 422,
        body: {
          code: 'TE_03',
          message: expect.stringContaining(`Failed to deserialize the JSON body into the target type: ${where}`),
          data: null,
        },
      },
    })
  })
})
