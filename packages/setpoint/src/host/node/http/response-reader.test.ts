import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ResponseReader } from './response-reader.ts'

/** The reports of a reader for some bytes, cut into pieces. */
function read(text: string, cuts: readonly number[] = [], method = 'GET') {
  const reported = { status: 0, headers: {}, body: '', end: undefined as boolean | undefined }
  const reader = new ResponseReader(method, {
    head: (head) => Object.assign(reported, head),
    body: (chunk) => (reported.body += Buffer.from(chunk).toString('latin1')),
    end: (keepsAlive) => (reported.end = keepsAlive),
  })
  const bytes = Buffer.from(text, 'latin1')
  let start = 0
  for (const end of [...[...cuts].sort((a, b) => a - b), bytes.length]) {
    if (end > start) reader.push(bytes.subarray(start, end))
    start = Math.max(start, end)
  }
  const isWhole = reader.close()
  return { ...reported, isWhole }
}

test('ends a response at its length', () => {
  expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\nx-a: 2\r\n\r\nok')).toEqual({
    status: 200,
    headers: { 'content-length': '2', 'x-a': '1, 2' },
    body: 'ok',
    end: true,
    isWhole: true,
  })
})

test('ends a chunked response with the empty chunk, with or without trailers', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(read(`${head}3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n`)).toMatchObject({
    body: 'abc0123456789',
    isWhole: true,
  })
  expect(read(`${head}0\r\nX-Trailer: 1\r\n\r\n`)).toMatchObject({ body: '', isWhole: true })
  expect(read(`${head}3\r\nab`)).toMatchObject({ body: 'ab', end: undefined, isWhole: false })
})

test('ends a response without a length with the connection', () => {
  expect(read('HTTP/1.1 200 OK\r\n\r\nall of it')).toMatchObject({
    body: 'all of it',
    end: false,
    isWhole: true,
  })
})

test('reads no body where none is allowed, and skips informational responses', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'
  expect(read(`${early}HTTP/1.1 204 No Content\r\n\r\n`)).toMatchObject({ status: 204, end: true })
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'
  expect(read(head, [], 'HEAD')).toMatchObject({ end: true, body: '' })
})

test('reuses a connection unless one side closes it', () => {
  const end = (first: string, connection: string) =>
    read(`${first}\r\nContent-Length: 0\r\n${connection}\r\n`).end
  expect(end('HTTP/1.1 200 OK', '')).toBe(true)
  expect(end('HTTP/1.1 200 OK', 'Connection: x, Close\r\n')).toBe(false)
  expect(end('HTTP/1.0 200 OK', '')).toBe(false)
  expect(end('HTTP/1.0 200 OK', 'Connection: keep-alive\r\n')).toBe(true)
})

test('refuses ambiguous responses', () => {
  const refused = [
    'SSH-2.0-OpenSSH\r\n',
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\n',
    'HTTP/1.1 200 OK\r\n folded: x\r\n\r\n',
    'HTTP/1.1 200 OK\r\nbad name: x\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    'HTTP/1.1 200 OK\r\nx: a\nb\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok more',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`,
  ]
  for (const text of refused) expect(() => read(text), text.slice(0, 60)).toThrow()
})

test('reads a response in any chunks', () => {
  const body = fc.string({ maxLength: 40 }).map((text) => Buffer.from(text).toString('latin1'))
  const chunked = fc.array(fc.tuple(body, fc.boolean()), { maxLength: 4 })
  const framed = fc.oneof(
    body.map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`),
    chunked.map((chunks) => {
      const parts = chunks
        .filter(([text]) => text.length > 0)
        .map(([text, isUpper]) => {
          const size = text.length.toString(16)
          return `${isUpper ? size.toUpperCase() : size}\r\n${text}\r\n`
        })
      return `Transfer-Encoding: chunked\r\n\r\n${parts.join('')}0\r\n\r\n`
    }),
  )
  fc.assert(
    fc.property(framed, fc.array(fc.nat(300), { maxLength: 20 }), (rest, cuts) => {
      const text = `HTTP/1.1 200 OK\r\nAudit-Id: x\r\n${rest}`
      expect(read(text, cuts)).toEqual(read(text))
    }),
  )
})
