#!/usr/bin/env node
// The operator's command line in the repository. Installs and builds first when something changed.
import { buildWhenNeeded, installWhenNeeded, requireNode } from '../../../tools/setup.mjs'

requireNode()
installWhenNeeded()
buildWhenNeeded()
await import('../dist/main.js')
