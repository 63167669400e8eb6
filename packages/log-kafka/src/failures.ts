import { isOperatingError, OperatingError } from '@switchyard/kernel'

/** What a failure of the driver means for whoever asked. */
export type FailureKind =
  /** The same again may help: connections, leaders on the move, timeouts. */
  | 'transient'
  /** The offset asked for is not in the partition. */
  | 'out-of-range'
  /** No broker knows the topic. */
  | 'no-topic'
  /** The brokers refuse this process: credentials or rights. */
  | 'refused'
  /** Fewer brokers than copies that are asked for; more of them may be on their way. */
  | 'too-few-brokers'
  /** Not a failure of the cluster. */
  | 'foreign'

/** Errors of the protocol that no further attempt will change, and those that say where the log is. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  OFFSET_OUT_OF_RANGE: 'out-of-range',
  UNKNOWN_TOPIC_OR_PARTITION: 'no-topic',
  TOPIC_AUTHORIZATION_FAILED: 'refused',
  GROUP_AUTHORIZATION_FAILED: 'refused',
  CLUSTER_AUTHORIZATION_FAILED: 'refused',
  SASL_AUTHENTICATION_FAILED: 'refused',
  UNSUPPORTED_SASL_MECHANISM: 'refused',
  UNSUPPORTED_VERSION: 'refused',
  MESSAGE_TOO_LARGE: 'refused',
  INVALID_TOPIC_EXCEPTION: 'refused',
  INVALID_REPLICATION_FACTOR: 'too-few-brokers',
  POLICY_VIOLATION: 'refused',
}

/** What the driver says, without a name or code, to who asks over a connection that is being opened for somebody else. */
const STILL_OPENING = 'Broker not connected'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface DriverFailure {
  readonly name?: unknown
  readonly message?: unknown
  readonly type?: unknown
  readonly code?: unknown
}

const ownKind = (error: DriverFailure): FailureKind => {
  const name = textOf(error.name)
  if (error.message === STILL_OPENING) return 'transient'
  if (name === 'KafkaJSSASLAuthenticationError') return 'refused'
  if (name.startsWith('KafkaJS')) return KINDS[textOf(error.type)] ?? 'transient'
  return textOf(error.code) === '' || isOperatingError(error) ? 'foreign' : 'transient'
}

/** What an error wraps: its cause, or what several things failed for at once. */
const wrappedBy = (error: object): readonly unknown[] => {
  if ('errors' in error && Array.isArray(error.errors)) return error.errors
  return 'cause' in error && error.cause !== error ? [error.cause] : []
}

const saysMore = (kind: FailureKind): boolean => kind !== 'transient' && kind !== 'foreign'

/** What `error`, or what it wraps, means. */
export const kindOf = (error: unknown): FailureKind => {
  if (typeof error !== 'object' || error === null) return 'foreign'
  const kind = ownKind(error)
  return kind === 'transient' ? (wrappedBy(error).map(kindOf).find(saysMore) ?? kind) : kind
}

/** The one of several errors that says what they mean: their list has no words of its own. */
const decisive = (error: unknown): unknown => {
  if (typeof error !== 'object' || error === null || !('errors' in error)) return error
  return wrappedBy(error).find((one) => saysMore(kindOf(one))) ?? error
}

/** The failure as the port names it. */
export const failureOf = (error: unknown, what: string): unknown => {
  switch (kindOf(error)) {
    case 'transient':
      return new OperatingError('LOG_UNAVAILABLE', `${what}: the brokers can't be reached or do not answer`, {
        retryable: true,
        cause: error,
      })
    case 'refused':
      return new OperatingError('LOG_UNAVAILABLE', `${what}: the brokers refuse it; see the cause, and credentials and rights`, {
        retryable: false,
        cause: decisive(error),
      })
    case 'too-few-brokers':
      return new OperatingError('LOG_UNAVAILABLE', `${what}: there are fewer brokers than SWITCHYARD_KAFKA_REPLICATION asks for copies`, {
        retryable: true,
        cause: decisive(error),
      })
    case 'no-topic':
      return lost(what, error)
    case 'out-of-range':
      return new OperatingError('LOG_TRUNCATED', `${what}: the log does not have the position asked for`, {
        retryable: false,
        cause: error,
      })
    default:
      return error
  }
}

/** No broker knows a topic that was there. */
export const lost = (what: string, cause?: unknown): OperatingError =>
  new OperatingError('LOG_LOST', `${what}: the topic is not in the cluster any more`, { retryable: false, cause })
