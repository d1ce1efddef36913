import type { Host } from 'setpoint/host'
import type { JsonValue } from 'setpoint/schema'

/** A request to a system outside of the cluster. */
export interface ExternalCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly body?: JsonValue
}

/** Sends one request and reads the whole answer. */
export async function callExternal(
  host: Host,
  { method, url, body }: ExternalCall,
): Promise<{ readonly status: number; readonly body: JsonValue | undefined }> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await host.request({ method, url, headers, body: text })
  const decoder = new TextDecoder()
  let answer = ''
  for await (const chunk of response.body) answer += decoder.decode(chunk, { stream: true })
  const { status } = response
  return { status, body: answer === '' ? undefined : (JSON.parse(answer) as JsonValue) }
}
