const BAR_WIDTH = 32
const REDRAW_INTERVAL_MS = 100
const LINE_COUNT = 10

/**
 * A progress bar on a terminal, a line at every tenth elsewhere.
 *
 * @param {{ readonly total: number, readonly out: { readonly isTTY?: boolean, readonly write: (text: string) => unknown },
 *   readonly now: () => number }} options
 */
export const createProgress = ({ total, out, now }) => {
  const startedAt = now()
  let drawnAt = Number.NEGATIVE_INFINITY
  let linesWritten = 0

  const lineOf = (doneCount, note) => {
    const share = doneCount / total
    const filled = Math.round(share * BAR_WIDTH)
    const perSecond = Math.round((doneCount / Math.max(1, now() - startedAt)) * 1000)
    return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(Math.floor(share * 100)).padStart(3)} %  ${perSecond}/s  ${note}`
  }

  const update = (doneCount, note) => {
    if (out.isTTY === true) {
      if (now() - drawnAt < REDRAW_INTERVAL_MS && doneCount < total) return
      drawnAt = now()
      out.write(`\r${lineOf(doneCount, note)}\x1b[K${doneCount === total ? '\n' : ''}`)
    } else if (doneCount * LINE_COUNT >= total * (linesWritten + 1)) {
      linesWritten = Math.floor((doneCount * LINE_COUNT) / total)
      out.write(`${lineOf(doneCount, note)}\n`)
    }
  }

  return { update }
}
