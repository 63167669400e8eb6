import { describe, expect, test } from '@jest/globals'
import type { CostsEvent } from '@switchyard/events'
import { NOTHING } from './change-journal.ts'
import { type RecordedReport, reportChanges } from './report-changes.ts'

const ids = { merchantId: 'm_1', ingestionId: 'i_1', connector: 'adyen', account: 'acme', merchantRegistrationCount: 1, at: 7 }
const accepted: CostsEvent = {
  type: 'SettlementReportAccepted',
  data: { ...ids, source: 'MANUAL', coversWholeDays: true, reference: null, byteCount: 1_024 },
}
const deleted: CostsEvent = { type: 'IngestionDeleted', data: ids }
const started: CostsEvent = {
  type: 'IngestionStarted',
  data: { merchantId: 'm_1', ingestionId: 'i_1', merchantRegistrationCount: 1, claimId: 'c', leaseEndsAt: 9, at: 7 },
}
const record = (event: CostsEvent, actor: string | null = 'user:u_1'): RecordedReport => ({
  event,
  position: { partition: 0, offset: 1 },
  eventId: 'e_1',
  actor,
  requestId: 'r_1',
})

describe('reports as changes', () => {
  test.each([
    ['sent', accepted, [{ field: 'settlement-report.connector', before: null, after: 'adyen' }]],
    ['deleted', deleted, [{ field: 'settlement-report.connector', before: 'adyen', after: null }]],
  ])('%s by somebody', (_, event, differences) => {
    expect(reportChanges.keysOf(record(event))).toEqual([['m_1', 7, 'e_1']])
    const change = reportChanges.project(NOTHING, record(event), ['m_1', 7, 'e_1'])
    expect(change).toMatchObject({ owner: 'm_1', change: event.type, subjectId: 'i_1', actor: 'user:u_1', requestId: 'r_1' })
    expect(change.differences).toEqual(expect.arrayContaining(differences))
  })

  test.each([
    ['a report that came by itself', accepted, 'anonymous'],
    ['one that was fetched', accepted, 'system:cost-ingestion'],
    ['one of nobody known', accepted, null],
    ['what is done with it', started, 'user:u_1'],
  ])('%s is no change', (_, event, actor) => {
    expect(reportChanges.keysOf(record(event, actor))).toEqual([])
  })
})
