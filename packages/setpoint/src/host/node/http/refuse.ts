import type { Duplex } from 'node:stream'
import type { ListenOptions } from '../../http/http.ts'
import { framedHeaders } from '../../http/message.ts'

type UnreadableError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array }

/** What Node answers when a server has no listener for these errors. */
const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Ends a connection whose request Node cannot read, with an answer if that is still possible. */
export function refuse(
  { code = '', rawPacket }: UnreadableError,
  socket: Duplex,
  unknownMethod: NonNullable<ListenOptions['unknownMethod']>,
): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [, method = '', path = ''] =
    /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]\r\n/.exec(
      Buffer.from(rawPacket ?? []).toString('latin1'),
    ) ?? []
  if (code !== 'HPE_INVALID_METHOD' || method === '') {
    socket.end(`HTTP/1.1 ${answers[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
    return
  }
  const answer = unknownMethod(method, path)
  const headers = Object.entries(framedHeaders({ ...answer, body: answer.body }))
  const lines = headers.flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  )
  const head = `HTTP/1.1 ${answer.status} -\r\n${lines.join('')}connection: close\r\n\r\n`
  socket.end(head + (typeof answer.body === 'string' ? answer.body : ''))
}
