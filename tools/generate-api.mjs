// Turns the route table into services/query-api/openapi.json, the description of the whole interface that a cluster serves.
// With --check it only says whether the committed file is what the route table gives.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWhenNeeded, root } from './setup.mjs'

buildWhenNeeded()
const { interfaceRoutes } = await import('../infra/gateway/route-table.mjs')
const { describeInterface } = await import('@switchyard/http')

const path = join(root, 'services/query-api/openapi.json')
const text = `${JSON.stringify(describeInterface(interfaceRoutes), null, 1)}\n`

if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  console.error('services/query-api/openapi.json is not what the route table gives: run npm run generate:api')
  process.exitCode = 1
}
