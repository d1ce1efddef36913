import { type HttpResponse, readText } from 'setpoint/host'
import { wholeBody } from '../body.ts'
import { isJsonObject, type JsonValue } from 'setpoint/schema'

const listMax = 64 * 1024 * 1024

/** A list whose objects come in the opposite order: the API promises none. */
export async function reversedList(response: HttpResponse): Promise<HttpResponse> {
  const isJson = (response.headers['content-type'] ?? '').startsWith('application/json')
  if (!isJson || response.status !== 200) return response
  const text = await readText(response.body, listMax)
  const list = JSON.parse(text) as JsonValue
  const items = isJsonObject(list) ? list['items'] : undefined
  const reversed = Array.isArray(items) ? { ...(list as object), items: items.toReversed() } : list
  const bytes = new TextEncoder().encode(JSON.stringify(reversed))
  return { ...response, body: wholeBody(bytes) }
}
