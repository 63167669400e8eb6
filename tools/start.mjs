// `npm start`: everything in one process on the embedded engines. Installs and builds first when something changed.
import { buildWhenNeeded, installWhenNeeded, requireNode } from './setup.mjs'

requireNode()
installWhenNeeded()
buildWhenNeeded()
await import('../services/standalone/dist/main.js')
