import { admin, call } from './client.ts'

/** Of an admin and of a member of the merchant, of a super admin, of one who looks at the merchant, and one that was handed over. */
export const SESSION_KINDS = ['session', 'member', 'super-admin', 'view', 'handed-over'] as const
type SessionKind = (typeof SESSION_KINDS)[number]

/** The address that the server's roster has to name. */
export const SUPER_ADMIN = 'super@example.test'

/** One running session of each kind; it is begun when it is first asked for. */
export interface Sessions {
  readonly headersOf: (kind: SessionKind) => Promise<Readonly<Record<string, string>>>
  /** Sessions may be over, and with one all of the same person: new ones are begun. */
  readonly forget: () => void
}

const password = 'Password123!'
const EMAILS: Readonly<Record<Exclude<SessionKind, 'handed-over'>, string>> = {
  session: 'session@example.test',
  member: 'member@example.test',
  'super-admin': SUPER_ADMIN,
  view: SUPER_ADMIN,
}

/** Signs people up who belong to the merchant. */
export const startSessions = async (url: string, merchantId: string): Promise<Sessions> => {
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const { status, json, text } = await call(url, `POST ${path}`, { body, headers })
    if (status !== 200) throw new Error(`POST ${path} -> ${status} ${text}`)
    return json
  }
  const bearer = (token: unknown): Readonly<Record<string, string>> => ({ authorization: `Bearer ${String(token)}` })
  for (const email of [EMAILS.session, SUPER_ADMIN]) await post('/auth/signup', { email, password, merchant_id: merchantId }, admin)
  await post('/auth/signup', { email: EMAILS.member, password })
  const { token } = await post('/auth/login', { email: EMAILS.session, password })
  await post('/merchant/members/invite', { email: EMAILS.member }, bearer(token))

  /** Whoever made a merchant meanwhile is at home there, and goes on in this one. */
  const logIn = async (kind: Exclude<SessionKind, 'handed-over'>) => {
    const { token } = await post('/auth/login', { email: EMAILS[kind], password })
    return bearer((await post('/auth/switch-merchant', { merchant_id: merchantId }, bearer(token))).token)
  }
  const begin = async (kind: SessionKind): Promise<Readonly<Record<string, string>>> => {
    if (kind === 'handed-over') {
      const { code } = await post('/auth/admin/merchant-token', { merchant_id: merchantId }, admin)
      return bearer((await post('/auth/admin/merchant-token/exchange', { code })).token)
    }
    if (kind !== 'view') return await logIn(kind)
    return bearer((await post('/auth/super-admin/enter-merchant', { merchant_id: merchantId }, await logIn(kind))).token)
  }

  const running = new Map<string, Readonly<Record<string, string>>>()
  return {
    headersOf: async (kind) => {
      const headers = running.get(kind) ?? (await begin(kind))
      running.set(kind, headers)
      return headers
    },
    forget: () => running.clear(),
  }
}
