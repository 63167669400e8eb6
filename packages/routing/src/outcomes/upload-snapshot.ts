import type { ByteReader, ByteWriter } from './bytes.ts'
import { UploadedLines, type UploadLimits } from './uploaded-lines.ts'

/** The uploads as bytes. */
export const writeUploads = (writer: ByteWriter, uploads: UploadedLines): void => {
  writer.count(uploads.size)
  for (const [key, { at, marks, lineCount }] of uploads.entries()) {
    writer.text(key)
    writer.integer(at)
    writer.count(lineCount)
    for (const mark of marks.subarray(0, lineCount)) writer.count(mark)
  }
}

/** What {@link writeUploads} wrote. */
export const readUploads = (reader: ByteReader, limits: UploadLimits): UploadedLines => {
  const uploads = new UploadedLines(limits)
  reader.list(() => {
    const key = reader.text()
    const at = reader.integer()
    const marks = Uint16Array.from(reader.list(() => reader.count()))
    uploads.restore(key, { at, marks, lineCount: marks.length })
  })
  return uploads
}
