import { describe, expect, test } from '@jest/globals'
import { measureWebhooks } from './webhooks.mjs'

describe('the benchmark of webhooks', () => {
  test('sends what it says and loses nothing, whatever is sick or overdue', async () => {
    const load = { receiverCount: 10, sickCount: 2, perSecond: 100, overdueCount: 50 }
    const { runs, sickP99Ms } = await measureWebhooks({ repeatCount: 1, durationMs: 500, ...load })
    const [{ well, sick, backlog } = {}] = runs
    expect(well?.counts.offered).toBeGreaterThan(0)
    expect(well?.count).toBe(well?.counts.offered)
    expect(sick?.count).toBeGreaterThan(0)
    expect(backlog?.retries).toBe(50)
    for (const run of [well, sick, backlog]) expect(run).toMatchObject({ duplicateCount: 0, counts: { refused: 0, failed: 0 } })
    expect(sickP99Ms.median).toBeGreaterThan(0)
  })
})
