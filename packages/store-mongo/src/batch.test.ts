import { describe, expect, test } from '@jest/globals'
import { createLanes } from '@switchyard/kernel'
import { MongoClient } from 'mongodb'
import { prepareBatch, writeBatch } from './batch.ts'
import type { MongoDocument } from './stored-document.ts'

describe('a batch', () => {
  test('begins nothing behind a write that failed', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:9', { serverSelectionTimeoutMS: 1, connectTimeoutMS: 1 })
    const write = (collection: string) => ({ collection, key: ['k'], position: { partition: 0, offset: 0 }, body: {} })
    const batch = prepareBatch([write('a'), write('b'), write('c')], (name) => ({ name, indexes: [] }))
    const begun: string[] = []
    const collectionOf = (name: string) => {
      begun.push(name)
      if (name === 'b') throw new Error('refused')
      return client.db().collection<MongoDocument>(name)
    }
    try {
      await expect(writeBatch(batch, collectionOf, createLanes(1))).rejects.toThrow('MongoDB could not be written')
      expect(begun).toEqual(['a'])
      await expect(
        writeBatch(
          prepareBatch([write('b'), write('c')], (name) => ({ name, indexes: [] })),
          collectionOf,
          createLanes(1),
        ),
      ).rejects.toThrow('refused')
      expect(begun).toEqual(['a', 'b'])
    } finally {
      await client.close()
    }
  })
})
