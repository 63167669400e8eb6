import { minutesKept } from '@switchyard/analytics'
import type { Now } from '@switchyard/kernel'
import { createRetention, type LifecycleReport, type Retention } from '@switchyard/runtime'
import type { ProjectorService } from './projector-service.ts'

/** Forgets figures by the minute that no window reaches any more (analytics.md 9); beside a projector, which alone writes them. */
export const keepMinutes = (
  projector: Pick<ProjectorService, 'readModels' | 'status'>,
  { now, report }: { readonly now: Now; readonly report: LifecycleReport },
): Retention =>
  createRetention({
    rule: minutesKept,
    store: projector.readModels('payments'),
    now,
    report,
    positions: async () => (await projector.status()).find(({ topic }) => topic === 'payments')?.positions ?? new Map(),
  })
