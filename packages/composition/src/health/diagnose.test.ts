import { describe, expect, test } from '@jest/globals'
import { createDiagnose } from './diagnose.ts'

const works = (): Promise<void> => Promise.resolve()
const hangs = (): Promise<void> => new Promise(() => {})

describe('diagnosis', () => {
  test('a step that hangs is given up, and the rest is not tried', async () => {
    const taken: string[] = []
    const diagnose = createDiagnose({ connect: works, read: hangs, write: () => works(), remove: async () => void taken.push('remove') }, 1)
    expect(await diagnose()).toEqual({ connection: 'Working', read: 'Failing', write: 'Failing', remove: 'Failing' })
    expect(taken).toEqual([])
  })
})
