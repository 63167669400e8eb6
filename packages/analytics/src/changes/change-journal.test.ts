import { describe, expect, test } from '@jest/globals'
import type { ConfigEvent } from '@switchyard/events'
import { changeJournal, NOTHING } from './change-journal.ts'

const record = (event: ConfigEvent, states: readonly { readonly slice: string; readonly before: unknown; readonly after: unknown }[]) => ({
  event,
  effects: { key: 'm_1', states },
  position: { partition: 0, offset: 1 },
  eventId: 'e_1',
  actor: 'user:u_1',
  requestId: 'r_1',
})
const told = (...asked: Parameters<typeof record>) => changeJournal.project(NOTHING, record(...asked), ['m_1', 1, 'e_1'])
describe('the journal of changes', () => {
  const stored: ConfigEvent = {
    type: 'ConnectorCredentialStored',
    data: {
      accountId: 'acct_1',
      merchantId: 'm_1',
      merchantRegistrationCount: 1,
      connector: 'adyen',
      account: 'a',
      webhookSecret: 'sealed-1',
      webhookSecretHint: '••••ef',
      downloadSecret: 'sealed-1',
      downloadSecretHint: '—',
      at: 1,
    },
  }
  const account = (merchantId: string) => ({
    stored: { merchantId, merchantRegistrationCount: 1, connector: 'adyen', webhookSecret: { secret: 'sealed-1', hint: '••••ef' } },
  })

  test('credentials are told without a secret', () => {
    const change = told(stored, [{ slice: 'connector-accounts', before: { stored: null }, after: account('m_1') }])
    expect(change).toMatchObject({ subject: 'connector-account', actor: 'user:u_1' })
    expect(JSON.stringify(change)).not.toContain('sealed-1')
    expect(JSON.stringify(change.differences)).toContain('adyen')
  })

  test('what an account was under another merchant stays untold', () => {
    const change = told(stored, [{ slice: 'connector-accounts', before: account('m_closed'), after: account('m_1') }])
    expect(JSON.stringify(change)).not.toContain('m_closed')
  })

  test('who became a member is told', () => {
    const granted = { userId: 'u_2', merchantId: 'm_1', role: 'ADMIN', merchantRegistrationCount: 1 } as const
    const change = told({ type: 'MembershipGranted', data: { ...granted, origin: 'INVITED', invitationId: 'i_1', at: 1 } }, [])
    expect(change).toMatchObject({ owner: 'm_1', subject: 'user', subjectId: 'u_2', actor: 'user:u_1' })
  })
})
