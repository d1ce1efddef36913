import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { isSet, timeSince, type Timestamp } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** Events of both groups: the newer one has other field names. */
export const eventPrinters: CellPrinters = {
  '/events': (object, nowMs) => eventCells(object, coreEvent(object), nowMs),
  'events.k8s.io/events': (object, nowMs) => eventCells(object, newEvent(object), nowMs),
}

interface Reference {
  readonly kind?: string
  readonly name?: string
  readonly fieldPath?: string
}

interface Source {
  readonly component?: string
  readonly host?: string
}

interface SharedFields {
  readonly type?: string
  readonly reason?: string
  readonly eventTime?: Timestamp
  readonly reportingInstance?: string
  readonly series?: { readonly count?: number; readonly lastObservedTime?: Timestamp }
}

interface PrintedEvent {
  readonly shared: SharedFields
  readonly target: Reference
  readonly source: Source
  readonly controller: string
  readonly message: string
  readonly first: Timestamp
  readonly last: Timestamp
  readonly count: number
}

interface CoreEvent extends SharedFields {
  readonly involvedObject?: Reference
  readonly source?: Source
  readonly reportingComponent?: string
  readonly message?: string
  readonly firstTimestamp?: Timestamp
  readonly lastTimestamp?: Timestamp
  readonly count?: number
}

function coreEvent(object: JsonObject): PrintedEvent {
  const event = object as unknown as CoreEvent
  return {
    shared: event,
    target: event.involvedObject ?? {},
    source: event.source ?? {},
    controller: event.reportingComponent ?? '',
    message: event.message ?? '',
    first: event.firstTimestamp,
    last: event.lastTimestamp,
    count: event.count ?? 0,
  }
}

interface NewEvent extends SharedFields {
  readonly regarding?: Reference
  readonly deprecatedSource?: Source
  readonly reportingController?: string
  readonly note?: string
  readonly deprecatedFirstTimestamp?: Timestamp
  readonly deprecatedLastTimestamp?: Timestamp
  readonly deprecatedCount?: number
}

function newEvent(object: JsonObject): PrintedEvent {
  const event = object as unknown as NewEvent
  return {
    shared: event,
    target: event.regarding ?? {},
    source: event.deprecatedSource ?? {},
    controller: event.reportingController ?? '',
    message: event.note ?? '',
    first: event.deprecatedFirstTimestamp,
    last: event.deprecatedLastTimestamp,
    count: event.deprecatedCount ?? 0,
  }
}

function eventCells(object: JsonObject, event: PrintedEvent, nowMs: number): JsonValue[] {
  const { shared, target, count } = event
  const { series } = shared
  const first = isSet(event.first) ? event.first : shared.eventTime
  const last = series === undefined ? (isSet(event.last) ? event.last : first) : undefined
  return [
    timeSince(last ?? series?.lastObservedTime, nowMs),
    shared.type ?? '',
    shared.reason ?? '',
    targetText(target),
    target.fieldPath ?? '',
    sourceText(event),
    trimmed(event.message),
    timeSince(first, nowMs),
    series === undefined ? (count === 0 ? 1 : count) : (series.count ?? 0),
    nameOf(object),
  ]
}

function targetText({ kind = '', name = '' }: Reference): string {
  const lower = kind.toLowerCase()
  return name === '' ? lower : `${lower}/${name}`
}

function sourceText({ source, controller, shared }: PrintedEvent): string {
  const component = firstText(source.component, controller)
  const instance = firstText(source.host, shared.reportingInstance)
  return instance === '' ? component : `${component}, ${instance}`
}

function firstText(text: string | undefined, otherwise: string | undefined): string {
  return text === undefined || text === '' ? (otherwise ?? '') : text
}

/** Go's white space: unlike JavaScript's it includes U+0085 and excludes U+FEFF. */
function isSpace(character: string | undefined): boolean {
  return character !== undefined && character !== '\ufeff' && /[\s\u0085]/u.test(character)
}

function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text[start])) start++
  while (end > start && isSpace(text[end - 1])) end--
  return text.slice(start, end)
}
