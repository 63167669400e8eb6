export type { Access, Identity, MerchantLocation, Permission, Refusal, Route, RouteReply, RouteRequest, RouteSpec } from './route.ts'
