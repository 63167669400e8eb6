import { beforeEach, describe, expect, test } from '@jest/globals'
import type { WebhookMerchant } from '../support/webhook-client.ts'
import { useWebhookServer } from '../support/webhook-server.ts'

const server = useWebhookServer()
const { submitted } = server
let merchant: WebhookMerchant
beforeEach(() => {
  merchant = server.merchant()
})

const list = (body: object) => merchant.ask(`POST /events/${merchant.id}`, body)
const idsOf = ({ json }: Awaited<ReturnType<typeof list>>): readonly string[] =>
  json.events.map(({ event_id: id }: { event_id: string }) => id)

const DAY_MS = 86_400_000
/** The midnight from which on events are listed (webhooks.md 3.3). */
const windowStart = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS - 90 * DAY_MS
const at = (ms: number): string => new Date(ms).toISOString()

describe('lists of events', () => {
  test('reach back to the midnight of 90 days ago, to the millisecond; both ends are included', async () => {
    const id = await submitted()
    expect((await list({ created_after: at(windowStart()) })).status).toBe(200)
    expect((await list({ created_after: at(windowStart() - 1) })).status).toBe(422)
    expect((await list({ created_after: at(windowStart()), created_before: at(windowStart()) })).json).toEqual({
      events: [],
      total_count: 0,
    })
    const [{ created }] = (await list({})).json.events
    expect(idsOf(await list({ created_after: created, created_before: created }))).toEqual([id])
  })

  test('classes and types together: a class of which no type is named counts as a whole', async () => {
    const types = ['payment_failed', 'payment_succeeded', 'refund_failed', 'surcharge_refund_succeeded', 'invoice_paid']
    const ids = new Map<string, string>()
    for (const type of types) ids.set(type, await submitted({ event_type: type }))
    const wanted = await list({ event_classes: ['payments', 'refunds'], event_types: ['payment_failed'] })
    const expected = ['surcharge_refund_succeeded', 'refund_failed', 'payment_failed'].map((type) => ids.get(type))
    expect(idsOf(wanted)).toEqual(expected)
    expect(wanted.json.total_count).toBe(3)
  })

  test('pages of a time that is over neither lose nor repeat events while others arrive', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.unshift(await submitted())
    const [newest] = (await list({ limit: 1 })).json.events
    const seen: string[] = []
    for (let offset = 0; offset < 6; offset += 2) {
      const page = await list({ created_before: newest.created, limit: 2, offset })
      seen.push(...idsOf(page).filter((id) => ids.includes(id)))
      await submitted()
    }
    expect(seen).toEqual(ids)
  })

  test('by an id: an initial one finds its chain, whatever else is asked for; that of a later attempt finds nothing', async () => {
    const id = await submitted({ object_id: 'pay_1' })
    await submitted({ object_id: 'pay_2' })
    expect(idsOf(await list({ event_id: id, object_id: 'pay_2' }))).toEqual([id])
    expect(idsOf(await list({ object_id: 'pay_1' }))).toEqual([id])
    expect(idsOf(await list({ event_id: 'evt_of_nobody' }))).toEqual([])
  })
})
