import { parentPort, workerData } from 'node:worker_threads'
import {
  type Contribution,
  type ContributionHead,
  type ContributionPiece,
  contributionOf,
  fitReports,
  KeptTexts,
  pieceOf,
} from '@switchyard/costs'
import { assert, assertNever } from '@switchyard/kernel'
import { yieldToAnswers } from '@switchyard/runtime'
import type { ContributionPart } from '../fitting/fitting.ts'
import { readReportFile } from '../reading/read-report-file.ts'
import type { FromThread, ReportTask, ToThread } from './report-messages.ts'

type FitTask = Extract<ReportTask, { readonly kind: 'fit' }>

/** Runs one task and ends: reading a file and learning from many take long, and their memory is given back (law 8). */
const run = async (): Promise<void> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  yieldToAnswers()
  const tell = (message: FromThread): void => port.postMessage(message)
  const task: ReportTask = workerData
  switch (task.kind) {
    case 'read': {
      const chunk = (part: Extract<FromThread, { readonly kind: 'chunk' }>['chunk']): Promise<void> =>
        new Promise((resolve) => {
          port.once('message', () => resolve())
          tell({ kind: 'chunk', chunk: part })
        })
      tell({
        kind: 'read',
        outcome: await readReportFile(task.request, { advanced: (rowCount) => tell({ kind: 'advanced', rowCount }), chunk }),
      })
      return
    }
    case 'fit':
      return await learn(task, tell)
    default:
      assertNever(task)
  }
}

/** What has been told of reports so far. */
class ToldReports {
  readonly #texts = new KeptTexts()
  readonly #reports: Map<string, { readonly head: ContributionHead; readonly parts: ContributionPiece[] }> = new Map()

  take({ head, chunk }: ContributionPart): void {
    const known = this.#reports.get(head.ingestionId) ?? { head, parts: [] }
    known.parts.push(pieceOf(chunk, this.#texts))
    this.#reports.set(head.ingestionId, known)
  }

  contributions(): readonly Contribution[] {
    return [...this.#reports.values()].map(({ head, parts }) => contributionOf(head, parts))
  }
}

const learn = ({ request: { identity, previous, newIds } }: FitTask, tell: (message: FromThread) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const told = new ToldReports()
    const finish = (): void => {
      const { events, changes, touched } = fitReports(identity, told.contributions(), previous, newIds)
      for (const event of events) tell({ kind: 'fit-event', event })
      tell({ kind: 'fitted', changes, touched })
      parentPort?.close()
      resolve()
    }
    parentPort?.on('message', (message: ToThread) => {
      if (message.kind === 'part') {
        told.take(message.part)
        tell({ kind: 'ready' })
        return
      }
      try {
        finish()
      } catch (error) {
        reject(error)
      }
    })
    tell({ kind: 'ready' })
  })

await run()
