import { users } from '@switchyard/access'
import { parseBody, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { userIdOfAddress } from '../people.ts'
import { userActivity } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { emailSchema } from './credential-bodies.ts'

const body = z.object({ email: emailSchema })

const setActivity = async (active: boolean, request: RouteRequest, { handle }: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(body, request.body)
  if (!parsed.ok) return parsed.reply
  const { receivedAt: at } = request
  const userId = userIdOfAddress(parsed.value.email)
  const outcome = await handle(users, {
    key: userId,
    command: { type: 'SetUserActivity', userId, active, at },
    origin: originOf(request),
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  const { account } = outcome.state
  return written({ user_id: userId, email: account?.email ?? '', is_active: account?.active === true }, outcome.position)
}

const routeOf = (
  { path, active, summary }: { readonly path: string; readonly active: boolean; readonly summary: string },
  deps: AccessRouteDeps,
): Route => ({
  spec: { method: 'POST', path, access: 'admin', permission: 'routing:write', tenant: false, body: 'json', hot: false },
  api: {
    summary,
    body,
    answer: userActivity,
    refusals: { 404: 'The user is not known', 409: 'Others changed it at the same time; try again' },
  },
  handle: (request) => setActivity(active, request, deps),
})

/** What makes an account inactive (platform.md 4), and active again: the deployment's admin, by the address. */
export const userActivityRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  routeOf(
    { path: '/admin/users/deactivate', active: false, summary: 'Close an account to its owner: its sessions end, its links are void' },
    deps,
  ),
  routeOf({ path: '/admin/users/reactivate', active: true, summary: 'Open such an account again; its owner logs in anew' }, deps),
]
