// What the system is measured against: node:http that parses the same JSON body and answers as many bytes, and does nothing else.
// Usage: node reference-server.mjs <bytes of the answer>. Prints its port.
import { createServer } from 'node:http'

const answer = Buffer.alloc(Number(process.argv[2]), 'x')
const headers = { 'content-type': 'application/json', 'content-length': String(answer.length) }

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    response.writeHead(body === null ? 400 : 200, headers)
    response.end(answer)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
process.on('SIGTERM', () => process.exit(0))
