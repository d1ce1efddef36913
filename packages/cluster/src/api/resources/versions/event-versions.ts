import type { JsonObject, JsonValue } from 'setpoint/schema'

/** Fields of `events.k8s.io` that have other names in the core group. */
const coreNames: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
]

/** Empty fields that Go prints in one of the two kinds and omits in the other. */
const coreZeros: JsonObject = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
}
const eventsZeros: JsonObject = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
}

/** Converts an `events.k8s.io/v1` Event to the core Event, which is stored. */
export function coreEventOf(event: JsonObject): JsonObject {
  const renamed = rename(event, new Map(coreNames))
  return { ...coreZeros, ...renamed, apiVersion: 'v1' }
}

/** Converts a stored Event to `events.k8s.io/v1`. */
export function eventsEventOf(event: JsonObject): JsonObject {
  const renamed = rename(event, new Map(coreNames.map(([theirs, core]) => [core, theirs])))
  for (const name of ['reportingController', 'reportingInstance', 'note']) {
    if (renamed[name] === '') Reflect.deleteProperty(renamed, name)
  }
  return { ...eventsZeros, ...renamed, apiVersion: 'events.k8s.io/v1' }
}

function rename(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]): [string, JsonValue] => [
      names.get(name) ?? name,
      value,
    ]),
  )
}
