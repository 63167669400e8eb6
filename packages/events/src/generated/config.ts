// Generated from schemas/ by `npm run generate`. Do not edit.
import type { AlgorithmKind, AlgorithmPurpose, ClusterCalibration, ContractRate, CostClusterKey, CostFee, EndpointDisabling, ExperimentArm, ExperimentOverrides, InvoiceLine, LatencyLimit, MailOutcome, MembershipOrigin, MembershipRole, PasswordResetCause, SettledVolume, SuccessRateSettings } from './shared.ts'

/** An API key was issued; only its hash is kept. */
export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Public id of the key. */
    readonly keyId: string
    /** Lower-case hex SHA-256 of the whole key. */
    readonly keyHash: string
    /** First characters of the key, to recognise it. */
    readonly keyPrefix: string
    /** What the key is for. */
    readonly description: string | null
    /** From when on the key is not valid any more, epoch milliseconds. */
    readonly expiresAt: number | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An API key was revoked. */
export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Public id of the key. */
    readonly keyId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Someone set what the payments of a cluster cost. */
export interface ClusterFeeOverridden {
  readonly type: 'ClusterFeeOverridden'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The cluster. */
    readonly cluster: CostClusterKey
    /** The fee that decisions use in place of what is learned. */
    readonly fee: CostFee
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The payments of a cluster cost again what is learned. */
export interface ClusterFeeOverrideCleared {
  readonly type: 'ClusterFeeOverrideCleared'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The cluster. */
    readonly cluster: CostClusterKey
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The reports of an account are no longer verified and fetched; it belongs to nobody. */
export interface ConnectorCredentialRemoved {
  readonly type: 'ConnectorCredentialRemoved'
  readonly data: {
    /** Made of connector and account, which belong to one merchant at a time; key of the record. */
    readonly accountId: string
    /** The merchant that has the account. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** How the reports of an account are verified and fetched was set, and by it whose account it is. */
export interface ConnectorCredentialStored {
  readonly type: 'ConnectorCredentialStored'
  readonly data: {
    /** Made of connector and account, which belong to one merchant at a time; key of the record. */
    readonly accountId: string
    /** The merchant that has the account. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** Verifies notices of new reports; encrypted with the merchant's data key, base64. */
    readonly webhookSecret: string
    /** What people recognise it by. */
    readonly webhookSecretHint: string
    /** Fetches reports; encrypted with the merchant's data key, base64. */
    readonly downloadSecret: string
    /** What people recognise it by. */
    readonly downloadSecretHint: string
    /** Which registration of the merchant id has the account, from 1. */
    readonly merchantRegistrationCount: number
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Someone set what a connector costs. */
export interface ConnectorFeeOverridden {
  readonly type: 'ConnectorFeeOverridden'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** The fee that decisions use in place of what is learned. */
    readonly fee: CostFee
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A connector costs again what is learned. */
export interface ConnectorFeeOverrideCleared {
  readonly type: 'ConnectorFeeOverrideCleared'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The table of contract rates was set, as a whole. */
export interface ContractRatesAgreed {
  readonly type: 'ContractRatesAgreed'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** All rates. */
    readonly rates: readonly ContractRate[]
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The table of contract rates was removed. */
export interface ContractRatesRemoved {
  readonly type: 'ContractRatesRemoved'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Defaults of debit routing were set. */
export interface DebitRoutingDefaultsConfigured {
  readonly type: 'DebitRoutingDefaultsConfigured'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Category code. */
    readonly merchantCategoryCode: string
    /** Country code. */
    readonly acquirerCountry: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Defaults of debit routing were removed. */
export interface DebitRoutingDefaultsRemoved {
  readonly type: 'DebitRoutingDefaultsRemoved'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Debit routing was switched off. */
export interface DebitRoutingDisabled {
  readonly type: 'DebitRoutingDisabled'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Debit routing was switched on. */
export interface DebitRoutingEnabled {
  readonly type: 'DebitRoutingEnabled'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The elimination settings were set. */
export interface EliminationConfigured {
  readonly type: 'EliminationConfigured'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Success ratio, 0 to 1, below which a gateway is down. */
    readonly threshold: number
    /** Latency limit, if one is configured. */
    readonly latency: LatencyLimit | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The elimination settings were removed. */
export interface EliminationRemoved {
  readonly type: 'EliminationRemoved'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A person has to prove an address by a link. */
export interface EmailVerificationRequested {
  readonly type: 'EmailVerificationRequested'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** Id of the link and of its mail. The secret of the link is made of this id and never stands in an event. */
    readonly verificationId: string
    /** Last moment at which the link is valid, epoch milliseconds. */
    readonly expiresAt: number
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A person has proved an address. */
export interface EmailVerified {
  readonly type: 'EmailVerified'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** The link that was used. */
    readonly verificationId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An arm of an experiment went live in place of whatever was; the experiment is over. */
export interface ExperimentArmPromoted {
  readonly type: 'ExperimentArmPromoted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The experiment's own id among the routing algorithms. */
    readonly algorithmId: string
    /** What it is used for. */
    readonly purpose: AlgorithmPurpose
    /** The arm. */
    readonly arm: ExperimentArm
    /** Algorithm that is live now; null when the arm routes by success rates: then none is. */
    readonly promotedAlgorithmId: string | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** Settings of an arm that routes by success rates: they become the merchant's; null for none. */
    readonly overrides: ExperimentOverrides | null
  }
}

/** A live experiment ended itself: its variant is certain to lose more approvals than allowed. */
export interface ExperimentStopped {
  readonly type: 'ExperimentStopped'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The experiment's own id among the routing algorithms. */
    readonly algorithmId: string
    /** What it is used for. */
    readonly purpose: AlgorithmPurpose
    /** Loss of approvals that was allowed, in units of a percentage point. */
    readonly guardrailThresholdPp: number
    /** Upper end of the always-valid confidence interval of the variant's gain, in units of a percentage point: below minus the threshold. */
    readonly gainAtMostPp: number
    /** Payments of the control with an outcome. */
    readonly controlResolvedCount: number
    /** Approved ones of them. */
    readonly controlSuccessCount: number
    /** Payments of the variant with an outcome. */
    readonly variantResolvedCount: number
    /** Approved ones of them. */
    readonly variantSuccessCount: number
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A feature was switched off. */
export interface FeatureDisabled {
  readonly type: 'FeatureDisabled'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Slug of the feature. */
    readonly feature: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A feature was switched on. */
export interface FeatureEnabled {
  readonly type: 'FeatureEnabled'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Slug of the feature. */
    readonly feature: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A code was issued that opens a session for a merchant, once. */
export interface HandoffCodeIssued {
  readonly type: 'HandoffCodeIssued'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Lower-case hex SHA-256 of the code. */
    readonly codeHash: string
    /** Address that the session shows. */
    readonly email: string | null
    /** What the session may do. */
    readonly permissions: readonly string[]
    /** `profile`, `merchant` or `org`. */
    readonly grantLevel: string
    /** What the grant is for; of a profile the merchant. */
    readonly grantId: string
    /** Last moment at which the code is valid, epoch milliseconds. */
    readonly expiresAt: number
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A hand-off code was used up. */
export interface HandoffCodeRedeemed {
  readonly type: 'HandoffCodeRedeemed'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Lower-case hex SHA-256 of the code. */
    readonly codeHash: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** What an invoice had added is added no longer. */
export interface InvoiceAddOnRemoved {
  readonly type: 'InvoiceAddOnRemoved'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The invoice of a connector for an account was taken in. What it charges beside the fees of payments is added to what they are learned to cost, in place of what an earlier invoice of the account added. */
export interface InvoiceIngested {
  readonly type: 'InvoiceIngested'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** Name of the invoice; empty when none was given. */
    readonly invoiceRef: string
    /** Currency of its amounts; empty when it does not tell. */
    readonly currency: string
    /** First day that it is for, YYYY-MM-DD; null when unknown. */
    readonly periodStart: string | null
    /** Last day that it is for, YYYY-MM-DD; null when unknown. */
    readonly periodEnd: string | null
    /** Its lines. */
    readonly lines: readonly InvoiceLine[]
    /** What the reports of the account tell of its period and currency; stands in for what the invoice does not state. Null when they tell nothing. */
    readonly settled: SettledVolume | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A process is about to send a mail, and has it for itself until the next attempt is due. */
export interface MailAttempted {
  readonly type: 'MailAttempted'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** The mail. */
    readonly mailId: string
    /** How often it was attempted, this time included. */
    readonly attemptCount: number
    /** When the next attempt is due, epoch milliseconds. */
    readonly retryAt: number
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A mail was handed over, or given up. */
export interface MailSettled {
  readonly type: 'MailSettled'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** The mail. */
    readonly mailId: string
    /** What became of it. */
    readonly outcome: MailOutcome
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A person became member of a merchant. */
export interface MembershipGranted {
  readonly type: 'MembershipGranted'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** The merchant. */
    readonly merchantId: string
    /** What the member may do. */
    readonly role: MembershipRole
    /** How often the merchant id had been registered when this was granted, from 1: a closed merchant takes its memberships with it. */
    readonly merchantRegistrationCount: number
    /** How it came about. */
    readonly origin: MembershipOrigin
    /** Id of the invitation, and of the mail that tells of it. */
    readonly invitationId: string | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A merchant was closed; a later registration of the same id starts clean. */
export interface MerchantClosed {
  readonly type: 'MerchantClosed'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A merchant was registered. */
export interface MerchantRegistered {
  readonly type: 'MerchantRegistered'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Opaque text kept for the client. */
    readonly deciderInput: string | null
    /** What people call it; without one, its id. */
    readonly name: string | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A person has another password; sessions that began with an earlier one are over. */
export interface PasswordChanged {
  readonly type: 'PasswordChanged'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** PHC string. */
    readonly passwordHash: string
    /** The link it was set by; null: by its owner, who named the one before. */
    readonly resetId: string | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The same password under the cost that hashes have now; sessions go on. */
export interface PasswordRehashed {
  readonly type: 'PasswordRehashed'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** PHC string. */
    readonly passwordHash: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A link was asked for that lets a person set a password. */
export interface PasswordResetRequested {
  readonly type: 'PasswordResetRequested'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** Id of the link and of its mail. The secret of the link is made of this id and never stands in an event. */
    readonly resetId: string
    /** Why. */
    readonly cause: PasswordResetCause
    /** Last moment at which the link is valid, epoch milliseconds. */
    readonly expiresAt: number
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Which columns of an account's reports are meant by the labels that its connector's reports usually have was set, as a whole. */
export interface ReportColumnsMapped {
  readonly type: 'ReportColumnsMapped'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** Label in the file by the label that is expected. */
    readonly columns: Readonly<Record<string, string>>
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The reports of an account have the usual labels again. */
export interface ReportColumnsUnmapped {
  readonly type: 'ReportColumnsUnmapped'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A routing algorithm went live in place of the one before it. */
export interface RoutingAlgorithmActivated {
  readonly type: 'RoutingAlgorithmActivated'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The algorithm, unique within the merchant. */
    readonly algorithmId: string
    /** What it is used for. */
    readonly purpose: AlgorithmPurpose
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The live routing algorithm was taken out of use. */
export interface RoutingAlgorithmDeactivated {
  readonly type: 'RoutingAlgorithmDeactivated'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The algorithm, unique within the merchant. */
    readonly algorithmId: string
    /** What it is used for. */
    readonly purpose: AlgorithmPurpose
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An inactive routing algorithm was discarded. */
export interface RoutingAlgorithmDiscarded {
  readonly type: 'RoutingAlgorithmDiscarded'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The algorithm, unique within the merchant. */
    readonly algorithmId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A routing algorithm was stored, inactive. */
export interface RoutingAlgorithmDrafted {
  readonly type: 'RoutingAlgorithmDrafted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The algorithm, unique within the merchant. */
    readonly algorithmId: string
    /** Name, not unique. */
    readonly name: string
    /** May be empty. */
    readonly description: string
    /** What it is used for. */
    readonly purpose: AlgorithmPurpose
    /** Form of the algorithm. */
    readonly kind: AlgorithmKind
    /** Normalised algorithm data as JSON text (a rule tree nests to any depth). */
    readonly definition: string
    /** JSON text of the client. */
    readonly metadata: string | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An inactive routing algorithm was rewritten. */
export interface RoutingAlgorithmRevised {
  readonly type: 'RoutingAlgorithmRevised'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The algorithm, unique within the merchant. */
    readonly algorithmId: string
    /** Name, not unique. */
    readonly name: string
    /** May be empty. */
    readonly description: string
    /** Form of the algorithm. */
    readonly kind: AlgorithmKind
    /** Normalised algorithm data as JSON text (a rule tree nests to any depth). */
    readonly definition: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A run of the self-tuning: what it saw, and the settings that it wrote. */
export interface ScoringCalibrated {
  readonly type: 'ScoringCalibrated'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** Start of the interval that the run is for, epoch milliseconds; there is one run an interval. */
    readonly intervalStartAt: number
    /** Time looked back on, milliseconds. */
    readonly lookbackMs: number
    /** The merchant lets it look, not write. */
    readonly isObserveOnly: boolean
    /** The groups of payments that it looked at, and those whose rows were withdrawn. */
    readonly clusters: readonly ClusterCalibration[]
    /** The new success-rate settings, as a whole; null when nothing was written. */
    readonly settings: SuccessRateSettings | null
  }
}

/** The extra dimensions of the success-rate windows were chosen. */
export interface ScoringDimensionsChosen {
  readonly type: 'ScoringDimensionsChosen'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Positions of user-defined fields in the order chosen, in units of one field, from 0. */
    readonly udfs: readonly number[]
    /** Payment attributes, for example card_network; null when not given. */
    readonly fields: readonly string[] | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A session token was revoked before its end. */
export interface SessionRevoked {
  readonly type: 'SessionRevoked'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** The token's jti. */
    readonly sessionId: string
    /** When the token would have ended. */
    readonly expiresAt: number
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Somebody logged in with a password. */
export interface SessionStarted {
  readonly type: 'SessionStarted'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** The merchant that the session begins on; null for a user of none. */
    readonly merchantId: string | null
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The success-rate scoring settings were set, as a whole. */
export interface SuccessRateScoringConfigured {
  readonly type: 'SuccessRateScoringConfigured'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The new settings. */
    readonly settings: SuccessRateSettings
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The success-rate scoring settings were removed. */
export interface SuccessRateScoringRemoved {
  readonly type: 'SuccessRateScoringRemoved'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An account is closed to its owner: its sessions are over, its links are void, and none begin until it is open again. */
export interface UserDeactivated {
  readonly type: 'UserDeactivated'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An account that was closed to its owner is open again. */
export interface UserReactivated {
  readonly type: 'UserReactivated'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A person signed up. */
export interface UserSignedUp {
  readonly type: 'UserSignedUp'
  readonly data: {
    /** The user; key of the record. */
    readonly userId: string
    /** Normalised address. */
    readonly email: string
    /** PHC string. */
    readonly passwordHash: string
    /** Whether the address needs no proof by a link. */
    readonly emailVerified: boolean
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Where and how a profile's events are delivered was set, as a whole. */
export interface WebhookEndpointConfigured {
  readonly type: 'WebhookEndpointConfigured'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** Address that events are sent to. */
    readonly url: string
    /** Signing secret, encrypted with the merchant's data key, base64; null leaves the secrets as they are. */
    readonly secret: string | null
    /** Last characters of the secret; null when the secrets stay as they are. */
    readonly secretHint: string | null
    /** Headers that go with every attempt, encrypted with the merchant's data key, base64. */
    readonly customHeaders: string
    /** Names of these headers. */
    readonly customHeaderNames: readonly string[]
    /** Types that are delivered; null for all. */
    readonly eventTypes: readonly string[] | null
    /** Whether events are delivered. */
    readonly isEnabled: boolean
    /** How long an attempt may take, seconds. */
    readonly timeoutSeconds: number
    /** Attempts that may be under way at the same time. */
    readonly maxConcurrencyCount: number
    /** Attempts that may begin in a second; null for no limit. */
    readonly maxPerSecondCount: number | null
    /** Delays before the automatic retries, seconds; null for the deployment's schedule. */
    readonly retryDelaysSeconds: readonly number[] | null
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An endpoint gets no further events because it does not take them. */
export interface WebhookEndpointDisabled {
  readonly type: 'WebhookEndpointDisabled'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** What it was disabled for. */
    readonly reason: EndpointDisabling
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A manual attempt was taken by an endpoint that the system had disabled; it gets events again. */
export interface WebhookEndpointEnabled {
  readonly type: 'WebhookEndpointEnabled'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A profile has no endpoint any more. */
export interface WebhookEndpointRemoved {
  readonly type: 'WebhookEndpointRemoved'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An endpoint got a new signing secret; the one before signs too for a while. */
export interface WebhookEndpointSecretRotated {
  readonly type: 'WebhookEndpointSecretRotated'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Profile of the merchant; one endpoint each. */
    readonly profileId: string
    /** The new secret, encrypted with the merchant's data key, base64. */
    readonly secret: string
    /** Its last characters. */
    readonly secretHint: string
    /** Until when the secret before it signs, too, epoch milliseconds. */
    readonly previousValidUntilAt: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Every event of the topic `config`. */
export type ConfigEvent =
  | ApiKeyIssued
  | ApiKeyRevoked
  | ClusterFeeOverridden
  | ClusterFeeOverrideCleared
  | ConnectorCredentialRemoved
  | ConnectorCredentialStored
  | ConnectorFeeOverridden
  | ConnectorFeeOverrideCleared
  | ContractRatesAgreed
  | ContractRatesRemoved
  | DebitRoutingDefaultsConfigured
  | DebitRoutingDefaultsRemoved
  | DebitRoutingDisabled
  | DebitRoutingEnabled
  | EliminationConfigured
  | EliminationRemoved
  | EmailVerificationRequested
  | EmailVerified
  | ExperimentArmPromoted
  | ExperimentStopped
  | FeatureDisabled
  | FeatureEnabled
  | HandoffCodeIssued
  | HandoffCodeRedeemed
  | InvoiceAddOnRemoved
  | InvoiceIngested
  | MailAttempted
  | MailSettled
  | MembershipGranted
  | MerchantClosed
  | MerchantRegistered
  | PasswordChanged
  | PasswordRehashed
  | PasswordResetRequested
  | ReportColumnsMapped
  | ReportColumnsUnmapped
  | RoutingAlgorithmActivated
  | RoutingAlgorithmDeactivated
  | RoutingAlgorithmDiscarded
  | RoutingAlgorithmDrafted
  | RoutingAlgorithmRevised
  | ScoringCalibrated
  | ScoringDimensionsChosen
  | SessionRevoked
  | SessionStarted
  | SuccessRateScoringConfigured
  | SuccessRateScoringRemoved
  | UserDeactivated
  | UserReactivated
  | UserSignedUp
  | WebhookEndpointConfigured
  | WebhookEndpointDisabled
  | WebhookEndpointEnabled
  | WebhookEndpointRemoved
  | WebhookEndpointSecretRotated
