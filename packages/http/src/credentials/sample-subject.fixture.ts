import type { SessionSubject } from './session.ts'
import { ALL_PERMISSIONS } from './session-tokens.ts'

/** For tests: somebody who works for a merchant. */
export const SAMPLE_SUBJECT: SessionSubject = {
  type: 'standard',
  userId: 'u1',
  email: 'ops@example.test',
  merchantId: 'm1',
  role: 'admin',
  permissions: ALL_PERMISSIONS,
  grant: null,
  passwordGeneration: 0,
  merchantRegistrationCount: 0,
}
