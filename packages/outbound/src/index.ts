export { nodeHmac } from './node-hmac.ts'
