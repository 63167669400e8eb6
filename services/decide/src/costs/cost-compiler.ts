import { Worker } from 'node:worker_threads'
import { OperatingError } from '@switchyard/kernel'
import type { CompilerInput, CompilerOutput } from './compiler-messages.ts'
import type { LearnedModelNews } from './learned-models.ts'

/** Compiles what is learned beside the thread that answers. */
export interface CostCompiler {
  /** Takes fits in, and their memory with them; resolves once the models include them, or with `compile: 'later'` once they are read. */
  readonly take: (input: Omit<CompilerInput, 'number'>) => Promise<void>
  /** Takes memory of models that are not used any more. */
  readonly takeBack: (memory: readonly ArrayBuffer[]) => void
  readonly close: () => Promise<void>
}

/** Hears of models, and of the end of the thread when it ends by itself. */
interface CompilerListeners {
  readonly onModel: (news: LearnedModelNews) => void
  readonly onFailure: (error: unknown) => void
}

/** Starts a compiler. */
export type StartCostCompiler = (listeners: CompilerListeners) => CostCompiler

const ended = (): OperatingError => new OperatingError('QUERY_UNAVAILABLE', 'the thread that compiles costs has ended', { retryable: true })

/** A {@link CostCompiler} in a thread of its own. */
export const startCostCompiler: StartCostCompiler = ({ onModel, onFailure }) => {
  const worker = new Worker(new URL('./compiler-thread.js', import.meta.url))
  const waiting = new Map<number, { readonly resolve: () => void; readonly reject: (error: unknown) => void }>()
  let number = 0
  let isClosing = false

  worker.on('message', (output: CompilerOutput) => {
    if (output.kind === 'model') return onModel(output.news)
    waiting.get(output.number)?.resolve()
    waiting.delete(output.number)
  })
  const fail = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(ended())
    waiting.clear()
    if (!isClosing) onFailure(error)
    isClosing = true
  }
  worker.once('error', fail)
  worker.once('exit', () => fail(ended()))

  return {
    take: (input) => {
      number += 1
      const message: CompilerInput = { ...input, number }
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject })
        worker.postMessage(
          message,
          input.records.flatMap(({ value: { buffer } }) => (buffer instanceof ArrayBuffer ? buffer : [])),
        )
      })
    },
    takeBack: (memory) => {
      const nothing: CompilerInput | null = null
      worker.postMessage(nothing, memory)
    },
    close: async () => {
      isClosing = true
      await worker.terminate()
    },
  }
}
