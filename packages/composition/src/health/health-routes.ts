import type { Access, Route, RouteReply, RouteSpec } from '@switchyard/http'
import * as z from 'zod'
import type { DatastoreProbe } from './datastore-probe.ts'
import { createDiagnose } from './diagnose.ts'

/** What the health routes ask. */
export interface HealthDeps {
  /** Whether the projections have caught up and no shutdown began; a rejection counts as no. */
  readonly isReady: () => Promise<boolean>
  readonly probe: DatastoreProbe
}

const message = z.object({ message: z.string() })
const probed = z.enum(['Working', 'Failing'])
const diagnosticsAnswer = z.object({
  key_custodian_locked: z.boolean(),
  database: z.object({ database_connection: probed, database_read: probed, database_write: probed, database_delete: probed }),
})

const specOf = (path: string, scope: Pick<RouteSpec, 'tenant'>): RouteSpec => {
  const access: Access = 'public'
  return { method: 'GET', path, access, permission: 'routing:read', body: 'none', hot: false, ...scope }
}

const readiness = async (isReady: HealthDeps['isReady']): Promise<RouteReply> => {
  const ready = await isReady().catch(() => false)
  return ready ? { status: 200, body: { message: 'Up' } } : { status: 400, body: { message: 'Down' } }
}

/** Liveness, readiness and diagnostics (platform.md 12). */
export const healthRoutes = ({ isReady, probe }: HealthDeps): readonly Route[] => {
  const diagnose = createDiagnose(probe)
  const diagnostics = async (): Promise<RouteReply> => {
    const { connection, read, write, remove } = await diagnose()
    const database = { database_connection: connection, database_read: read, database_write: write, database_delete: remove }
    return { status: 200, body: { key_custodian_locked: false, database } }
  }
  return [
    {
      spec: specOf('/health', { tenant: false }),
      api: { summary: 'Whether the process answers', answer: message },
      handle: () => ({ status: 200, body: { message: 'Health is good' } }),
    },
    {
      spec: specOf('/health/ready', { tenant: false }),
      api: {
        summary: 'Whether it should get requests',
        answer: message,
        refusals: { 400: 'It should not: it starts, stops, or is behind' },
        refusalBodies: { 400: message },
      },
      handle: () => readiness(isReady),
    },
    {
      spec: specOf('/health/diagnostics', { tenant: true }),
      api: { summary: 'What works of the read store, tried out', answer: diagnosticsAnswer },
      handle: diagnostics,
    },
  ]
}
