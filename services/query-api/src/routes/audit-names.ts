const ROUTE_LABELS: Readonly<Record<string, string>> = {
  decide_gateway: 'Decide Gateway',
  update_gateway_score: 'Update Gateway',
  update_score: 'Update Score',
  routing_evaluate: 'Rule Evaluate',
  routing_create: 'Routing Create',
  rule_config_create: 'Rule Config Create',
  rule_config_get: 'Rule Config Get',
  rule_config_update: 'Rule Config Update',
  rule_config_delete: 'Rule Config Delete',
}

const STAGE_LABELS: Readonly<Record<string, string>> = {
  gateway_decided: 'Decide Gateway',
  score_updated: 'Update Gateway',
  rule_applied: 'Rule Evaluate',
  preview_evaluated: 'Preview Result',
}

const STORED_ROUTES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ROUTE_LABELS).flatMap(([route, label]): [string, string][] => [
    [route, route],
    [label, route],
  ]),
  ['decision_gateway', 'decide_gateway'],
])

const labelOf = (labels: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(labels, name) ? labels[name] : undefined) ?? name

/** The stored name of a route given by its name, alias or label; undefined when there is no such route (analytics.md 2.7). */
export const storedRouteOf = (name: string): string | undefined => STORED_ROUTES.get(name)

/** What people call a route. */
export const routeLabelOf = (route: string): string => labelOf(ROUTE_LABELS, route)

/** What people call a stage. */
export const stageLabelOf = (stage: string): string => labelOf(STAGE_LABELS, stage)
