// Generated from schemas/ by `npm run generate`. Do not edit.
import type { ConfigEvent } from './config.ts'
import type { CostsEvent } from './costs.ts'
import type { PaymentsEvent } from './payments.ts'
import type { WebhooksEvent } from './webhooks.ts'

/** Every event of the system. */
export type SwitchyardEvent = ConfigEvent | CostsEvent | PaymentsEvent | WebhooksEvent

/** Where an event stands: its topic, its schema, and the aggregate whose version it counts towards (law 5). */
export interface CatalogueEntry {
  readonly topic: 'config' | 'costs' | 'payments' | 'webhooks'
  readonly subject: string
  readonly aggregate: { readonly kind: string; readonly idField?: string }
}

export const EVENT_CATALOGUE: Readonly<Record<SwitchyardEvent['type'], CatalogueEntry>> = {
  ApiKeyIssued: { topic: 'config', subject: 'switchyard.config.ApiKeyIssued', aggregate: { kind: 'api-key', idField: 'keyId' } },
  ApiKeyRevoked: { topic: 'config', subject: 'switchyard.config.ApiKeyRevoked', aggregate: { kind: 'api-key', idField: 'keyId' } },
  ClusterFeeOverridden: { topic: 'config', subject: 'switchyard.config.ClusterFeeOverridden', aggregate: { kind: 'cost-overrides' } },
  ClusterFeeOverrideCleared: { topic: 'config', subject: 'switchyard.config.ClusterFeeOverrideCleared', aggregate: { kind: 'cost-overrides' } },
  ConnectorCredentialRemoved: { topic: 'config', subject: 'switchyard.config.ConnectorCredentialRemoved', aggregate: { kind: 'connector-account' } },
  ConnectorCredentialStored: { topic: 'config', subject: 'switchyard.config.ConnectorCredentialStored', aggregate: { kind: 'connector-account' } },
  ConnectorFeeOverridden: { topic: 'config', subject: 'switchyard.config.ConnectorFeeOverridden', aggregate: { kind: 'cost-overrides' } },
  ConnectorFeeOverrideCleared: { topic: 'config', subject: 'switchyard.config.ConnectorFeeOverrideCleared', aggregate: { kind: 'cost-overrides' } },
  ContractRatesAgreed: { topic: 'config', subject: 'switchyard.config.ContractRatesAgreed', aggregate: { kind: 'contract-rates' } },
  ContractRatesRemoved: { topic: 'config', subject: 'switchyard.config.ContractRatesRemoved', aggregate: { kind: 'contract-rates' } },
  DebitRoutingDefaultsConfigured: { topic: 'config', subject: 'switchyard.config.DebitRoutingDefaultsConfigured', aggregate: { kind: 'debit-routing-defaults' } },
  DebitRoutingDefaultsRemoved: { topic: 'config', subject: 'switchyard.config.DebitRoutingDefaultsRemoved', aggregate: { kind: 'debit-routing-defaults' } },
  DebitRoutingDisabled: { topic: 'config', subject: 'switchyard.config.DebitRoutingDisabled', aggregate: { kind: 'debit-routing' } },
  DebitRoutingEnabled: { topic: 'config', subject: 'switchyard.config.DebitRoutingEnabled', aggregate: { kind: 'debit-routing' } },
  EliminationConfigured: { topic: 'config', subject: 'switchyard.config.EliminationConfigured', aggregate: { kind: 'elimination' } },
  EliminationRemoved: { topic: 'config', subject: 'switchyard.config.EliminationRemoved', aggregate: { kind: 'elimination' } },
  EmailVerificationRequested: { topic: 'config', subject: 'switchyard.config.EmailVerificationRequested', aggregate: { kind: 'user' } },
  EmailVerified: { topic: 'config', subject: 'switchyard.config.EmailVerified', aggregate: { kind: 'user' } },
  ExperimentArmPromoted: { topic: 'config', subject: 'switchyard.config.ExperimentArmPromoted', aggregate: { kind: 'routing-algorithms' } },
  ExperimentStopped: { topic: 'config', subject: 'switchyard.config.ExperimentStopped', aggregate: { kind: 'routing-algorithms' } },
  FeatureDisabled: { topic: 'config', subject: 'switchyard.config.FeatureDisabled', aggregate: { kind: 'feature-flags' } },
  FeatureEnabled: { topic: 'config', subject: 'switchyard.config.FeatureEnabled', aggregate: { kind: 'feature-flags' } },
  HandoffCodeIssued: { topic: 'config', subject: 'switchyard.config.HandoffCodeIssued', aggregate: { kind: 'handoff-code', idField: 'codeHash' } },
  HandoffCodeRedeemed: { topic: 'config', subject: 'switchyard.config.HandoffCodeRedeemed', aggregate: { kind: 'handoff-code', idField: 'codeHash' } },
  InvoiceAddOnRemoved: { topic: 'config', subject: 'switchyard.config.InvoiceAddOnRemoved', aggregate: { kind: 'invoice-add-ons' } },
  InvoiceIngested: { topic: 'config', subject: 'switchyard.config.InvoiceIngested', aggregate: { kind: 'invoice-add-ons' } },
  MailAttempted: { topic: 'config', subject: 'switchyard.config.MailAttempted', aggregate: { kind: 'mail', idField: 'mailId' } },
  MailSettled: { topic: 'config', subject: 'switchyard.config.MailSettled', aggregate: { kind: 'mail', idField: 'mailId' } },
  MembershipGranted: { topic: 'config', subject: 'switchyard.config.MembershipGranted', aggregate: { kind: 'user' } },
  MerchantClosed: { topic: 'config', subject: 'switchyard.config.MerchantClosed', aggregate: { kind: 'merchant' } },
  MerchantRegistered: { topic: 'config', subject: 'switchyard.config.MerchantRegistered', aggregate: { kind: 'merchant' } },
  PasswordChanged: { topic: 'config', subject: 'switchyard.config.PasswordChanged', aggregate: { kind: 'user' } },
  PasswordResetRequested: { topic: 'config', subject: 'switchyard.config.PasswordResetRequested', aggregate: { kind: 'user' } },
  ReportColumnsMapped: { topic: 'config', subject: 'switchyard.config.ReportColumnsMapped', aggregate: { kind: 'report-columns' } },
  ReportColumnsUnmapped: { topic: 'config', subject: 'switchyard.config.ReportColumnsUnmapped', aggregate: { kind: 'report-columns' } },
  RoutingAlgorithmActivated: { topic: 'config', subject: 'switchyard.config.RoutingAlgorithmActivated', aggregate: { kind: 'routing-algorithms' } },
  RoutingAlgorithmDeactivated: { topic: 'config', subject: 'switchyard.config.RoutingAlgorithmDeactivated', aggregate: { kind: 'routing-algorithms' } },
  RoutingAlgorithmDiscarded: { topic: 'config', subject: 'switchyard.config.RoutingAlgorithmDiscarded', aggregate: { kind: 'routing-algorithms' } },
  RoutingAlgorithmDrafted: { topic: 'config', subject: 'switchyard.config.RoutingAlgorithmDrafted', aggregate: { kind: 'routing-algorithms' } },
  RoutingAlgorithmRevised: { topic: 'config', subject: 'switchyard.config.RoutingAlgorithmRevised', aggregate: { kind: 'routing-algorithms' } },
  ScoringDimensionsChosen: { topic: 'config', subject: 'switchyard.config.ScoringDimensionsChosen', aggregate: { kind: 'scoring-dimensions' } },
  SessionRevoked: { topic: 'config', subject: 'switchyard.config.SessionRevoked', aggregate: { kind: 'session', idField: 'sessionId' } },
  SuccessRateScoringConfigured: { topic: 'config', subject: 'switchyard.config.SuccessRateScoringConfigured', aggregate: { kind: 'success-rate-scoring' } },
  SuccessRateScoringRemoved: { topic: 'config', subject: 'switchyard.config.SuccessRateScoringRemoved', aggregate: { kind: 'success-rate-scoring' } },
  UserSignedUp: { topic: 'config', subject: 'switchyard.config.UserSignedUp', aggregate: { kind: 'user' } },
  WebhookEndpointConfigured: { topic: 'config', subject: 'switchyard.config.WebhookEndpointConfigured', aggregate: { kind: 'webhook-endpoint', idField: 'profileId' } },
  WebhookEndpointDisabled: { topic: 'config', subject: 'switchyard.config.WebhookEndpointDisabled', aggregate: { kind: 'webhook-endpoint', idField: 'profileId' } },
  WebhookEndpointEnabled: { topic: 'config', subject: 'switchyard.config.WebhookEndpointEnabled', aggregate: { kind: 'webhook-endpoint', idField: 'profileId' } },
  WebhookEndpointRemoved: { topic: 'config', subject: 'switchyard.config.WebhookEndpointRemoved', aggregate: { kind: 'webhook-endpoint', idField: 'profileId' } },
  WebhookEndpointSecretRotated: { topic: 'config', subject: 'switchyard.config.WebhookEndpointSecretRotated', aggregate: { kind: 'webhook-endpoint', idField: 'profileId' } },
  CostModelFitted: { topic: 'costs', subject: 'switchyard.costs.CostModelFitted', aggregate: { kind: 'cost-model', idField: 'fitId' } },
  IngestionAdvanced: { topic: 'costs', subject: 'switchyard.costs.IngestionAdvanced', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  IngestionDeleted: { topic: 'costs', subject: 'switchyard.costs.IngestionDeleted', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  IngestionFailed: { topic: 'costs', subject: 'switchyard.costs.IngestionFailed', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  IngestionFitted: { topic: 'costs', subject: 'switchyard.costs.IngestionFitted', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  IngestionStarted: { topic: 'costs', subject: 'switchyard.costs.IngestionStarted', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  PriceChangesNoticed: { topic: 'costs', subject: 'switchyard.costs.PriceChangesNoticed', aggregate: { kind: 'cost-model', idField: 'fitId' } },
  ReportContributionDropped: { topic: 'costs', subject: 'switchyard.costs.ReportContributionDropped', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  ReportContributionTaken: { topic: 'costs', subject: 'switchyard.costs.ReportContributionTaken', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  SettlementReportAccepted: { topic: 'costs', subject: 'switchyard.costs.SettlementReportAccepted', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  SettlementReportIngested: { topic: 'costs', subject: 'switchyard.costs.SettlementReportIngested', aggregate: { kind: 'cost-ingestion', idField: 'ingestionId' } },
  ApiKeysUsed: { topic: 'payments', subject: 'switchyard.payments.ApiKeysUsed', aggregate: { kind: 'api-key-use' } },
  DecisionRefused: { topic: 'payments', subject: 'switchyard.payments.DecisionRefused', aggregate: { kind: 'payment' } },
  GatewayDecided: { topic: 'payments', subject: 'switchyard.payments.GatewayDecided', aggregate: { kind: 'payment', idField: 'paymentId' } },
  GatewayScoresReset: { topic: 'payments', subject: 'switchyard.payments.GatewayScoresReset', aggregate: { kind: 'gateway-scores' } },
  OutcomeRecorded: { topic: 'payments', subject: 'switchyard.payments.OutcomeRecorded', aggregate: { kind: 'payment', idField: 'paymentId' } },
  OutcomeRefused: { topic: 'payments', subject: 'switchyard.payments.OutcomeRefused', aggregate: { kind: 'payment' } },
  RuleEvaluated: { topic: 'payments', subject: 'switchyard.payments.RuleEvaluated', aggregate: { kind: 'payment' } },
  RuleEvaluationRefused: { topic: 'payments', subject: 'switchyard.payments.RuleEvaluationRefused', aggregate: { kind: 'payment' } },
  DeliveryAbandoned: { topic: 'webhooks', subject: 'switchyard.webhooks.DeliveryAbandoned', aggregate: { kind: 'webhook-chain', idField: 'chainId' } },
  DeliveryAttemptFinished: { topic: 'webhooks', subject: 'switchyard.webhooks.DeliveryAttemptFinished', aggregate: { kind: 'webhook-chain', idField: 'chainId' } },
  DeliveryAttemptStarted: { topic: 'webhooks', subject: 'switchyard.webhooks.DeliveryAttemptStarted', aggregate: { kind: 'webhook-chain', idField: 'chainId' } },
  RecoveryFinished: { topic: 'webhooks', subject: 'switchyard.webhooks.RecoveryFinished', aggregate: { kind: 'webhook-recovery', idField: 'taskId' } },
  RecoveryStarted: { topic: 'webhooks', subject: 'switchyard.webhooks.RecoveryStarted', aggregate: { kind: 'webhook-recovery', idField: 'taskId' } },
  WebhookEventAccepted: { topic: 'webhooks', subject: 'switchyard.webhooks.WebhookEventAccepted', aggregate: { kind: 'webhook-chain', idField: 'chainId' } },
  WebhookEventRetracted: { topic: 'webhooks', subject: 'switchyard.webhooks.WebhookEventRetracted', aggregate: { kind: 'webhook-chain', idField: 'chainId' } },
}
