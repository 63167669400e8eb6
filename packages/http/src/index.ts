export type { BodyStream } from './body/body-stream.ts'
export { bodyStreamOf } from './body/body-stream.ts'
export { checkValue } from './body/check-value.ts'
export type { ExactNumber } from './body/exact-numbers.ts'
export { isExactNumber, parseExactly, printExactly } from './body/exact-numbers.ts'
export { withFewMembers } from './body/few-members.ts'
export type { ParsedBody } from './body/parse-body.ts'
export { parseBody, wrongShape } from './body/parse-body.ts'
export type { ParsedJson } from './body/parse-json.ts'
export { parseJson, parseJsonText } from './body/parse-json.ts'
export { repeatedMember } from './body/repeated-members.ts'
export { clientAddressOf } from './client-address.ts'
export type { GeneratedApiKey } from './credentials/api-key.ts'
export { generateApiKey } from './credentials/api-key.ts'
export type { AttemptLimit, AttemptLimitOptions } from './credentials/attempt-limit.ts'
export { createAttemptLimit } from './credentials/attempt-limit.ts'
export type { LinkTokens, MailedSecret } from './credentials/link-tokens.ts'
export { createLinkTokens } from './credentials/link-tokens.ts'
export type { Argon2, PasswordCost, Passwords } from './credentials/passwords.ts'
export { argon2, createPasswords, PASSWORD_COST } from './credentials/passwords.ts'
export type { SessionClaims, SessionGrant, SessionSubject, SessionType } from './credentials/session.ts'
export type { SessionTokens, SessionTokensOptions } from './credentials/session-tokens.ts'
export { ALL_PERMISSIONS, createSessionTokens } from './credentials/session-tokens.ts'
export type { PlatformErrorCode } from './errors.ts'
export { platformError, unavailable } from './errors.ts'
export type { AccessRule, Authentication, UsedKey } from './gate/authentication.ts'
export type { CredentialLookup } from './gate/credential-lookup.ts'
export type { Gate, GateOptions } from './gate/gate.ts'
export { createGate } from './gate/gate.ts'
export type { RatePolicies, RatePolicy, RateVerdict, TakeFromRate } from './gate/rate-limit.ts'
export { createRateLimits } from './gate/rate-limit.ts'
export type { HotServer, HotServerOptions } from './hot/hot-server.ts'
export { createHotServer } from './hot/hot-server.ts'
export { actorOf, mayActFor } from './identity.ts'
export {
  CONNECTION_COUNT_MAX,
  DISCARDED_BODY_BYTES_MAX,
  HEADER_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  JSON_BODY_BYTES_MAX,
  KEEP_ALIVE_TIMEOUT_MS,
  RAW_JSON_BODY_BYTES_MAX,
  REPLY_SILENCE_MAX_MS,
  REQUEST_TIMEOUT_MS,
  STREAMED_BODY_BYTES_MAX,
} from './limits.ts'
export { describeInterface, withApiDescription } from './openapi/description-routes.ts'
export type { ApiDocument } from './openapi/document.ts'
export type { ApiMedia, RouteApi } from './openapi/route-api.ts'
export { MERCHANT_UNKNOWN_TO_DECISIONS } from './openapi/statuses.ts'
export type { Access, Identity, MerchantLocation, Permission, Refusal, Route, RouteReply, RouteRequest, RouteSpec } from './route.ts'
export { bodyOfReply } from './route.ts'
export { replyToRefusal } from './server/failures.ts'
export type { HttpServer, HttpServerOptions, ListeningAddress } from './server/http-server.ts'
export { createHttpServer } from './server/http-server.ts'
export type { HttpLogger } from './server/logger.ts'
export type { AwaitPosition, PositionWait } from './server/position-wait.ts'
export type { HttpTelemetry } from './server/serve-route.ts'
export { requestTraceOf } from './server/trace-context.ts'
