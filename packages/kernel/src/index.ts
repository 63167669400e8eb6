export { AssertionFailed, assert, assertNever } from './assert.ts'
export { beginningOf } from './beginning-of.ts'
export type { CollectedBytes } from './collected-bytes.ts'
export { createCollectedBytes } from './collected-bytes.ts'
export { hasControlCharacter } from './control-character.ts'
export type { Decider, Decision, Slice } from './decider.ts'
export { accept, reject } from './decider.ts'
export { indexOf, indexRowsOf } from './declared-index.ts'
export type { Draft } from './draft.ts'
export type { NewId, Now } from './environment.ts'
export type { EventLog, LogRecord, NewRecord, RecordHeaders, SubscribeOptions, Subscription, Topic } from './event-log.ts'
export { TOPICS } from './event-log.ts'
export { declaredSpec, generationName } from './generations.ts'
export { hash32, hash53, unitInterval } from './hash.ts'
export type { Hmac } from './hmac.ts'
export type { DeadRecord, Inbox, MissedRecords, ReceiveOptions } from './inbox.ts'
export { createKeySpace, type KeySpace, type KeyTable } from './key-space.ts'
export { createLanes, type Lanes } from './lanes.ts'
export {
  CALLER_ID_LENGTH_MAX,
  EXPECTED_VERSION_MAX,
  ID_LENGTH_MAX,
  NAME_LENGTH_MAX,
  RECORD_TEXT_BYTES_MAX,
  TRACEPARENT_LENGTH,
} from './limits.ts'
export type { Mail, Mailer } from './mailer.ts'
export type { MerchantNotFound } from './of-merchant.ts'
export { ofMerchant } from './of-merchant.ts'
export type { OperatingErrorCode } from './operating-error.ts'
export { isOperatingError, messageWithCauses, OperatingError } from './operating-error.ts'
export type {
  FetchedStream,
  FetchRequest,
  FetchResult,
  FetchStream,
  HeaderPair,
  OutboundAnswer,
  OutboundOutcome,
  OutboundPhase,
  OutboundRequest,
  OutboundResult,
  SendRequest,
  UrlRule,
} from './outbound-request.ts'
export { createPlaces } from './places.ts'
export type { Position, Positions } from './position.ts'
export { BEFORE_FIRST, includes, isAfter } from './position.ts'
export { type DocumentProjection, foldedInPlace } from './projection.ts'
export type {
  CollectionSpec,
  DeclaredIndex,
  DocumentKey,
  DocumentWrite,
  KeyPart,
  RangeQuery,
  ReadStore,
  StoredDocument,
  WriteOutcome,
} from './read-store.ts'
export type { RequestTrace } from './request-trace.ts'
export { isCallerId, isRequestTrace, traceIdIn, wellFormedTrace } from './request-trace.ts'
export type { SchemaIds } from './schema-ids.ts'
export { isUpTo } from './text-length.ts'
export { thrownBy } from './thrown-by.ts'
