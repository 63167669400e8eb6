import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ApiDocument } from '@switchyard/http'

/** Made from the route table of all services by `npm run generate:api`. */
const WHOLE = fileURLToPath(new URL('../openapi.json', import.meta.url))

/** The description of the whole interface of a cluster, whose other parts are mounted in other processes. */
export const loadApiDescription = (): ApiDocument => JSON.parse(readFileSync(WHOLE, 'utf8'))
