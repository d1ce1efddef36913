import type { JsonObject, JsonValue } from 'setpoint/schema'

/** Fields of `events.k8s.io` whose names in the core group are others. */
const coreNames: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
]

/** What Go prints although it is empty, where only the other face leaves it out. */
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

/** An `events.k8s.io/v1` Event as the core Event it is stored as. */
export function coreEventOf(event: JsonObject): JsonObject {
  const renamed = rename(event, new Map(coreNames))
  return { ...coreZeros, ...renamed, apiVersion: 'v1' }
}

/** A stored Event as `events.k8s.io/v1` shows it. */
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
