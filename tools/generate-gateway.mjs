// Turns the route table into infra/gateway/nginx.conf. With --check it only says whether the committed file is what the
// route table gives. The route table is read from the built services.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWhenNeeded, root } from './setup.mjs'

buildWhenNeeded()
const { routeTable } = await import('../infra/gateway/route-table.mjs')
const { nginxConfigOf } = await import('../infra/gateway/nginx-config.mjs')

const path = join(root, 'infra/gateway/nginx.conf')
const config = nginxConfigOf(routeTable)

if (!process.argv.includes('--check')) writeFileSync(path, config)
else if (readFileSync(path, 'utf8') !== config) {
  console.error('infra/gateway/nginx.conf is not what the route table gives: run npm run generate:gateway')
  process.exitCode = 1
}
