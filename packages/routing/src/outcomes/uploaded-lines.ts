import type { UploadLine } from '@switchyard/events'

/** Bounds of {@link UploadedLines}. */
export interface UploadLimits {
  readonly uploadCountMax: number
  /** Lines of all uploads together. */
  readonly uploadLineCountMax: number
  /** Age of an upload from which it may be forgotten, milliseconds of event time. */
  readonly uploadAgeMs: number
}

/** One upload: when its first line was recorded (epoch milliseconds), and a mark of each line, 0 for a line that was not. */
export interface Upload {
  readonly at: number
  /** Index 0 is line 1. */
  marks: Uint16Array
  /** Length without the room to grow. */
  lineCount: number
}

/** What is known of a line: nothing, that it said the same, or that it said something else. */
export type KnownLine = 'unknown' | 'same' | 'other'

const FIRST_ROOM = 16
const MARK_COUNT = 65_535

/** What a line said, as a number from 1 to 65,535; `hash` is a hash of its content. */
const markOf = (hash: number): number => 1 + (hash % MARK_COUNT)

/**
 * Which lines of repeatable uploads stand in the log, two bytes a line, so that the same upload may be sent again. The
 * oldest uploads are forgotten beyond the limits.
 */
export class UploadedLines {
  readonly #uploads: Map<string, Upload> = new Map()
  readonly #limits: UploadLimits
  #lineCount = 0

  constructor(limits: UploadLimits) {
    this.#limits = limits
  }

  /** Oldest first. */
  entries(): IterableIterator<[string, Upload]> {
    return this.#uploads.entries()
  }

  get size(): number {
    return this.#uploads.size
  }

  /** Puts back an upload of a snapshot, without forgetting anything. */
  restore(key: string, upload: Upload): void {
    this.#uploads.set(key, upload)
    this.#lineCount += upload.lineCount
  }

  /** Whether a line of this number was recorded, and whether it said the same. */
  look({ key, line }: UploadLine, hash: number): KnownLine {
    const mark = this.#uploads.get(key)?.marks[line - 1] ?? 0
    if (mark === 0) return 'unknown'
    return mark === markOf(hash) ? 'same' : 'other'
  }

  /** Notes a line that was recorded; `at` is the time of its event. */
  add({ key, line }: UploadLine, hash: number, at: number): void {
    if (line < 1 || line > this.#limits.uploadLineCountMax) return
    const upload = this.#uploads.get(key) ?? this.#begin(key, at)
    if (line > upload.lineCount) {
      this.#lineCount += line - upload.lineCount
      upload.lineCount = line
    }
    if (line > upload.marks.length) {
      const grown = new Uint16Array(Math.max(upload.marks.length * 2, line))
      grown.set(upload.marks)
      upload.marks = grown
    }
    upload.marks[line - 1] = markOf(hash)
    this.#forget(key, at)
  }

  #begin(key: string, at: number): Upload {
    const upload = { at, marks: new Uint16Array(FIRST_ROOM), lineCount: 0 }
    this.#uploads.set(key, upload)
    return upload
  }

  #forget(newest: string, now: number): void {
    const { uploadCountMax, uploadLineCountMax, uploadAgeMs } = this.#limits
    for (const [key, { at, lineCount }] of this.#uploads) {
      const isFull = this.#uploads.size > uploadCountMax || this.#lineCount > uploadLineCountMax
      if (key === newest || (!isFull && now - at <= uploadAgeMs)) return
      this.#uploads.delete(key)
      this.#lineCount -= lineCount
    }
  }
}
