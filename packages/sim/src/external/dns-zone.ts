import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  external,
  type ExternalAnswer,
  type ExternalRequest,
  type ExternalSystem,
  type ExternalTools,
} from './external.ts'
import { lateView, noteChange } from './late-view.ts'
import { mapIn, type ModelOptions, partsOf, textIn } from './model-state.ts'

/** The options of a DNS service. */
export interface DnsZoneOptions extends ModelOptions {
  /** The zones that exist: `['example.com']`. */
  readonly zones: readonly string[]
  /** How long resolvers answer as before a change; 0 by default. */
  readonly propagationMs?: number
}

/**
 * A model of a DNS service. The server chooses the id of each record, and allows several records of
 * one name and type, as most services do: an operator that creates a record again after it lost an
 * answer has two of them.
 *
 *     const dns = dnsZone({ origin: 'https://dns.example', zones: ['example.com'] })
 *     await simulate([operator], { samples, externals: [dns] })
 *
 * | request                                      | answer                                     |
 * | -------------------------------------------- | ------------------------------------------ |
 * | `GET /zones/ZONE/records?name=NAME&type=A`   | `{ records }`; the query is optional      |
 * | `POST /zones/ZONE/records`                   | 201 with `id`; the body has name, type, values and ttl |
 * | `GET`, `PUT`, `DELETE /zones/ZONE/records/ID` | the record; 204 after a deletion; 404     |
 * | `GET /resolve?name=NAME&type=A`              | `{ values }`, after the propagation        |
 */
export function dnsZone(options: DnsZoneOptions): ExternalSystem {
  const { name = 'dns', propagationMs = 0, zones, ...rest } = options
  const initial = {
    zones: Object.fromEntries(zones.map((zone): [string, JsonObject] => [zone, {}])),
    resolvers: {},
  }
  return external({
    ...rest,
    name,
    initial,
    handle: (request, state, tools) => {
      const { segments, query } = partsOf(request.path)
      const [collection, zone = '', records, id] = segments
      if (collection === 'resolve') {
        const time = { nowMs: tools.nowMs, behindMs: propagationMs }
        const view = lateView(mapIn(state, 'resolvers'), allRecords(state), time)
        return { status: 200, body: { values: valuesOf(view, query) } }
      }
      const all = mapIn(state, 'zones')[zone]
      if (collection !== 'zones' || records !== 'records' || !isJsonObject(all)) return notFound
      const changed = (key: string, value: JsonValue): void =>
        noteChange(mapIn(state, 'resolvers'), {
          key,
          value,
          nowMs: tools.nowMs,
          behindMs: propagationMs,
        })
      return id === undefined
        ? answerCollection({ all, query, request, tools, changed })
        : answerRecord({ all, id, request, changed })
    },
    resources: (state) => recordsByName(mapIn(state, 'zones')),
  })
}

const notFound: ExternalAnswer = { status: 404, body: { error: 'not found' } }

interface ZoneCall {
  readonly all: JsonObject
  readonly request: ExternalRequest
  readonly changed: (id: string, value: JsonValue) => void
}

function answerCollection({
  all,
  query,
  request: { method, body },
  tools,
  changed,
}: ZoneCall & {
  readonly query: URLSearchParams
  readonly tools: ExternalTools
}): ExternalAnswer {
  if (method === 'GET') {
    const records = Object.values(all).filter((record) => isAsked(record, query))
    return { status: 200, body: { records } }
  }
  if (method !== 'POST') return { status: 405 }
  if (textIn(body, 'name') === '' || textIn(body, 'type') === '') return invalid
  const id = tools.id()
  const record = { ...(isJsonObject(body) ? body : {}), id }
  all[id] = record
  changed(id, record)
  return { status: 201, body: record }
}

const invalid: ExternalAnswer = { status: 400, body: { error: 'a record needs name and type' } }

function answerRecord({
  all,
  id,
  request: { method, body },
  changed,
}: ZoneCall & { readonly id: string }): ExternalAnswer {
  const record = all[id]
  if (!isJsonObject(record)) return notFound
  if (method === 'GET') return { status: 200, body: record }
  if (method === 'DELETE') {
    Reflect.deleteProperty(all, id)
    changed(id, null)
    return { status: 204 }
  }
  if (method !== 'PUT') return { status: 405 }
  const replaced = { ...record, ...(isJsonObject(body) ? body : {}), id }
  all[id] = replaced
  changed(id, replaced)
  return { status: 200, body: replaced }
}

function isAsked(record: JsonValue, query: URLSearchParams): boolean {
  return ['name', 'type'].every(
    (field) => !query.has(field) || query.get(field) === textIn(record, field),
  )
}

function allRecords(state: JsonObject): JsonObject {
  const zones = Object.values(mapIn(state, 'zones')).filter((zone) => isJsonObject(zone))
  return Object.assign({}, ...zones) as JsonObject
}

function valuesOf(records: JsonObject, query: URLSearchParams): JsonValue[] {
  return Object.values(records).flatMap((record) => {
    const values = isJsonObject(record) && isAsked(record, query) ? record['values'] : []
    return Array.isArray(values) ? values : []
  })
}

/** By names, because ids differ from run to run: a second record of a name gets a number. */
function recordsByName(zones: JsonObject): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {}
  for (const [zone, records] of Object.entries(zones)) {
    for (const record of Object.values(isJsonObject(records) ? records : {})) {
      if (!isJsonObject(record)) continue
      const { id: _, ...content } = record
      const key = `${zone} ${textIn(record, 'type')} ${textIn(record, 'name')}`
      let [count, unique] = [1, key]
      while (found[unique] !== undefined) unique = `${key} (${(count += 1)})`
      found[unique] = content
    }
  }
  return found
}
