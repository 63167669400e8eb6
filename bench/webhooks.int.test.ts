import { describe, expect, test } from '@jest/globals'
import { measureWebhooks } from './webhooks.mjs'

describe('the benchmark of webhooks', () => {
  test('sends what it says and loses nothing, whatever is sick or overdue', async () => {
    const load = { receiverCount: 10, sickCount: 2, perSecond: 50, overdueCount: 50 }
    const { runs, sickP99Ms } = await measureWebhooks({ repeatCount: 1, durationMs: 500, ...load })
    const [{ well, sick, backlog } = {}] = runs
    for (const run of [well, sick, backlog]) {
      expect(run).toMatchObject({ duplicates: 0, lost: 0, refused: 0, unsigned: 0 })
      expect(run?.count).toBeGreaterThan(0)
    }
    expect(well?.count).toBe(well?.accepted)
    expect(backlog?.retries).toBeGreaterThan(0)
    expect(sickP99Ms.median).toBeGreaterThan(0)
  }, 180_000)
})
