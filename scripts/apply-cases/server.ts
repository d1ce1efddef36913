import { readFileSync } from 'node:fs'
import { request } from 'node:https'

/** An untyped JSON object. */
export type Json = Record<string, unknown>

/** The answer; code 0 when the server closes the connection, which happens when it panics. */
interface Answer {
  readonly code: number
  readonly body: Json
}

/** A request. */
interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string | undefined
}

/** Connects to the server of a kubeconfig with its first client certificate. */
export function connect(kubeconfig: string): (call: Call) => Promise<Answer> {
  const text = readFileSync(kubeconfig, 'utf8')
  const find = (name: string) => new RegExp(`${name}: "?([^",}\\s]+)`).exec(text)?.[1] ?? ''
  const server = find('server')
  const credentials = {
    ca: readFileSync(find('certificate-authority')),
    cert: readFileSync(find('client-certificate')),
    key: readFileSync(find('client-key')),
  }
  return ({ method, path, body, contentType = 'application/json' }) =>
    new Promise((resolve) => {
      const call = request(`${server}${path}`, { method, ...credentials }, (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (answer += chunk))
        response.on('end', () => {
          resolve({ code: response.statusCode ?? 0, body: JSON.parse(answer) as Json })
        })
      })
      call.on('error', () => {
        resolve({ code: 0, body: {} })
      })
      if (body !== undefined) {
        call.setHeader('content-type', contentType)
        call.write(JSON.stringify(body))
      }
      call.end()
    })
}
