import { describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import { analyticsCollections } from '../collections.ts'
import { type Change, changeJournal, NOTHING } from './change-journal.ts'
import { type ChangeQuery, createJournalQueries } from './read-changes.ts'
import { reportChanges } from './report-changes.ts'
import { scoreResets } from './score-resets.ts'

const change = (id: string, at: number, more: Partial<Change> = {}): Change => ({
  ...NOTHING,
  id,
  owner: 'm_1',
  at,
  actor: 'admin',
  ...more,
})
const asked = (more: Partial<ChangeQuery> = {}): ChangeQuery => ({
  startMs: undefined,
  endMs: undefined,
  subject: undefined,
  subjectId: undefined,
  actor: undefined,
  change: undefined,
  page: 1,
  pageSize: 10,
  historySince: 0,
  ...more,
})

/** The journal over what stands in each of its three read models. */
const journalOf = async (stored: Readonly<Record<string, readonly Change[]>>) => {
  const store = createMemoryStore({ collections: analyticsCollections })
  const position = { partition: 0, offset: 1 }
  for (const [collection, changes] of Object.entries(stored)) {
    await store.write(changes.map((body) => ({ collection, key: ['m_1', body.at, body.id], position, body })))
  }
  return createJournalQueries({ readModels: () => store, now: () => 100 })
}

describe('a read of changes', () => {
  const three = {
    [changeJournal.name]: [change('c_1', 10), change('c_2', 40)],
    [scoreResets.name]: [change('s_1', 20), change('s_2', 50)],
    [reportChanges.name]: [change('r_1', 5), change('r_2', 30)],
  }

  test('tells what stands in three orders of events in one, the newest first', async () => {
    const { changes, total } = await (await journalOf(three)).changes('m_1', asked())
    expect([changes.map(({ id }) => id), total]).toEqual([['s_2', 'c_2', 'r_2', 's_1', 'c_1', 'r_1'], 6])
  })

  test('page by page, and from a time on', async () => {
    const journal = await journalOf(three)
    expect((await journal.changes('m_1', asked({ page: 2, pageSize: 2 }))).changes.map(({ id }) => id)).toEqual(['r_2', 's_1'])
    expect((await journal.changes('m_1', asked({ startMs: 30 }))).changes.map(({ id }) => id)).toEqual(['s_2', 'c_2', 'r_2'])
  })

  test('leaves out what each part of a configuration notes for itself', async () => {
    const differences = [
      'merchants.registered',
      'merchants.registrationCount',
      'merchants.historySince',
      'merchants.closedAt',
      'api-keys.registered',
      'users.name',
    ].map((field) => ({ field, before: null, after: 1 }))
    const { changes } = await (await journalOf({ [changeJournal.name]: [change('c_1', 1, { differences })] })).changes('m_1', asked())
    expect(changes[0]?.differences.map(({ field }) => field)).toEqual(['merchants.registered', 'users.name'])
  })

  test('tells nobody which other merchant somebody belongs to', async () => {
    const differences = [
      { field: 'users.homeMerchantId', before: 'm_other', after: 'm_1' },
      {
        field: 'mails.pending',
        before: [{ kind: 'invitation', merchantId: 'm_other' }],
        after: [{ kind: 'invitation', merchantId: 'm_1' }],
      },
      { field: 'users.memberships', before: [], after: [{ merchantId: 'm_1' }] },
    ]
    const { changes } = await (await journalOf({ [changeJournal.name]: [change('c_1', 1, { differences })] })).changes('m_1', asked())
    expect(changes[0]?.differences.map(({ field }) => field)).toEqual(['users.memberships'])
  })
})
