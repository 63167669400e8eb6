// `npm run build`: everything that tests, benchmarks and the operator's command line run from.
import { buildWhenNeeded, bundleAll } from './setup.mjs'

buildWhenNeeded()
await bundleAll()
