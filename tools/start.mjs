// `npm start`: everything in one process on the embedded engines. Installs and bundles first when something changed.
import { bundleWhenNeeded, installWhenNeeded, requireNode } from './setup.mjs'

requireNode()
installWhenNeeded()
await bundleWhenNeeded(['standalone'])
await import('../services/standalone/dist/bundle/main.js')
