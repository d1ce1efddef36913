import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { Parts } from './merge-parts.ts'

const user = { name: 'system:aggregator', groups: [] }
const timeoutMs = 5_000

/** The paths and definitions of the available servers of aggregated APIs. */
export async function remoteParts({ services, documents }: Aggregation): Promise<Parts[]> {
  const available = [...services.remote.values()].filter(({ isAvailable }) => isAvailable)
  const all = await Promise.all(
    available.map(async (service) => {
      const asked = { path: '/openapi/v2', accept: 'application/json', user, timeoutMs }
      const answer = await documents.read(service, asked)
      const text = answer?.status === 200 ? answer.text : ''
      return partsOf(text, `/apis/${service.group}/${service.version}/`)
    }),
  )
  return all.flatMap((parts) => parts ?? [])
}

/** Only the paths of the version, with the definitions that they use. */
function partsOf(text: string, prefix: string): Parts | undefined {
  const document = parsed(text)
  if (document === undefined) return undefined
  const { paths, definitions } = document
  if (!isJsonObject(paths) || !isJsonObject(definitions)) return undefined
  const own = Object.entries(paths).filter(([path]) => path.startsWith(prefix))
  const used = new Map<string, JsonValue>()
  const visit = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isJsonObject(value)) return
    const reference = value['$ref']
    if (typeof reference === 'string') follow(reference.replace('#/definitions/', ''))
    Object.values(value).forEach(visit)
  }
  const follow = (name: string): void => {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined
    if (definition === undefined || used.has(name)) return
    used.set(name, definition)
    visit(definition)
  }
  own.forEach(([, path]) => visit(path))
  return { paths: Object.fromEntries(own), definitions: Object.fromEntries(used) }
}

/** `undefined` for a document that is not JSON: the server then adds nothing. */
function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
