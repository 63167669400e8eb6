import { expect, test } from '@jest/globals'
import { domainCollections } from '@switchyard/composition'
import { publishedSchemaIds } from '@switchyard/events'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import type { Command } from './command-line.ts'
import { runCommand } from './run-command.ts'

const commands: readonly (readonly [Command, 'reader' | 'writer'])[] = [
  [{ name: 'lag', format: 'text' }, 'reader'],
  [{ name: 'dead-letters list', topic: undefined, limit: 1 }, 'reader'],
  [{ name: 'dead-letters show', topic: 'config', partition: 0, offset: 0 }, 'reader'],
  [{ name: 'dead-letters retry' }, 'writer'],
  [{ name: 'rebuild', projection: 'costs', isAnew: false }, 'writer'],
]

test.each(commands)(
  '%j opens the store as a %s: those that only read made collections in a database whose name was misspelt',
  async (command, role) => {
    const roles: string[] = []
    const store = createMemoryStore({ collections: domainCollections })
    await runCommand(command, {
      console: { print: async () => {}, note: () => {}, progress: () => {} },
      now: Date.now,
      openLog: async () => ({ log: createMemoryLog({ partitionCount: 1 }), schemaIds: publishedSchemaIds(), learn: async () => {} }),
      openStore: async (asked) => {
        roles.push(asked)
        return store
      },
      openScratch: () => ({ store, remove: async () => {} }),
    })
    expect(roles).toEqual([role])
  },
)
