/**
 * Request bytes with slots that are overwritten in place for every request, so that sending a distinct payment costs no more
 * than a few bytes written. A slot stands in the text as `{{name}}` and always takes the same number of characters.
 */

const HEAD_END = '\r\n\r\n'

/** A number as text of the slot's width, with leading zeros, written into the bytes. */
export const writeDigits = (bytes, { offset, width }, value) => {
  let rest = value
  for (let at = offset + width - 1; at >= offset; at -= 1) {
    bytes[at] = 48 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
}

/**
 * A whole HTTP/1.1 request as bytes, and where its slots lie in them. `slots` gives the width of each.
 *
 * @param {{ readonly host: string, readonly path: string, readonly headers: Readonly<Record<string, string>>, readonly body: string,
 *   readonly slots: Readonly<Record<string, number>> }} request
 */
export const requestTemplate = ({ host, path, headers, body, slots }) => {
  let filled = body
  for (const [name, width] of Object.entries(slots)) filled = filled.replace(`{{${name}}}`, '#'.repeat(width))
  const allHeaders = { host, ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(filled)) }
  const lines = [`POST ${path} HTTP/1.1`, ...Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`)]
  const head = `${lines.join('\r\n')}${HEAD_END}`

  let offset = Buffer.byteLength(head)
  const offsets = {}
  for (const part of body.split(/(\{\{\w+\}\})/)) {
    const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1]
    if (name === undefined) {
      offset += Buffer.byteLength(part)
      continue
    }
    const width = slots[name]
    if (width === undefined) throw new Error(`the slot ${name} has no width`)
    offsets[name] = { offset, width }
    offset += width
  }
  for (const name of Object.keys(slots)) if (offsets[name] === undefined) throw new Error(`the body has no slot ${name}`)
  return { bytes: Buffer.from(head + filled), offsets }
}
