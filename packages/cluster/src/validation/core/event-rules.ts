/** Events of both groups, which share one store. Messages name the fields of the core group. */
import type { Event, EventsEvent } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { checkQualifiedName } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { byteLength } from '../fields/name-rules.ts'
import { checkImmutable } from '../object-meta.ts'
import { sameValue } from '../fields/same-value.ts'

type CoreEvent = Created<Event>['object']
type NewEvent = Created<EventsEvent>['object']

/** An event of either group with the field names of the core group. */
interface AnyEvent {
  readonly namespace: string
  readonly eventTime: string | undefined
  readonly involvedNamespace: string
  readonly controller: string
  readonly instance: string
  readonly action: string
  readonly reason: string
  readonly message: string
}

function ofCore(event: CoreEvent): AnyEvent {
  return {
    namespace: event.metadata?.namespace ?? '',
    eventTime: event.eventTime ?? undefined,
    involvedNamespace: event.involvedObject?.namespace ?? '',
    controller: event.reportingComponent ?? '',
    instance: event.reportingInstance ?? '',
    action: event.action ?? '',
    reason: event.reason ?? '',
    message: event.message ?? '',
  }
}

function ofNew(event: NewEvent): AnyEvent {
  return {
    namespace: event.metadata?.namespace ?? '',
    eventTime: event.eventTime ?? undefined,
    involvedNamespace: event.regarding?.namespace ?? '',
    controller: event.reportingController ?? '',
    instance: event.reportingInstance ?? '',
    action: event.action ?? '',
    reason: event.reason ?? '',
    message: event.note ?? '',
  }
}

/** The rules of both groups. Events without an eventTime are of the older form. */
function checkEvent(event: AnyEvent, at: FieldPath, controllerField: string): void {
  const { namespace, involvedNamespace: involved } = event
  const refuse = () => {
    at.child('involvedObject', 'namespace').invalid(involved, 'does not match event.namespace')
  }
  if (event.eventTime === undefined) {
    const isClusterEvent = involved === '' && (namespace === '' || namespace === 'default')
    if (!isClusterEvent && namespace !== involved) refuse()
    return
  }
  if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') refuse()
  const controllerAt = at.child(controllerField)
  if (event.controller === '') controllerAt.required()
  checkQualifiedName(event.controller, controllerAt)
  const limits = [
    ['reportingInstance', event.instance, 128],
    ['action', event.action, 128],
    ['reason', event.reason, 128],
  ] as const
  for (const [field, text, limit] of limits) {
    if (text === '') at.child(field).required()
    checkLength(text, at.child(field), limit)
  }
  checkLength(event.message, at.child('message'), 1024)
}

function checkLength(text: string, at: FieldPath, limit: number): void {
  if (byteLength(text) > limit) at.invalid('', `can have at most ${limit} characters`)
}

function checkSeries({ series }: NewEvent, at: FieldPath): void {
  if (series === undefined) return
  if ((series.count ?? 0) < 2) at.child('series.count').invalid('', 'should be at least 2')
  if ((series.lastObservedTime ?? '') === '') at.child('series.lastObservedTime').required()
}

function checkNewFields(event: NewEvent, at: FieldPath): void {
  const { type = '', deprecatedSource: source } = event
  if ((event.eventTime ?? undefined) === undefined) at.child('eventTime').required()
  if (type !== 'Normal' && type !== 'Warning') {
    at.child('type').invalid('', `has invalid value: ${type}`)
  }
  const unset = 'needs to be unset'
  if ((event.deprecatedFirstTimestamp ?? '') !== '') at.child('firstTimestamp').invalid('', unset)
  if ((event.deprecatedLastTimestamp ?? '') !== '') at.child('lastTimestamp').invalid('', unset)
  if ((event.deprecatedCount ?? 0) !== 0) at.child('count').invalid('', unset)
  if ((source?.component ?? '') !== '' || (source?.host ?? '') !== '') {
    at.child('source').invalid('', unset)
  }
}

/** The rules of core Events, which are few because old clients use them. */
export const eventRules = checkedKind<Event>({
  group: '',
  kind: 'Event',
  resource: 'events',
  namespaced: true,
  nameRule: nameRules.any,
  create({ object, at }) {
    checkEvent(ofCore(object), at, 'reportingComponent')
  },
  update({ object, at }) {
    checkEvent(ofCore(object), at, 'reportingComponent')
  },
})

const unchanging = [
  ['reason', 'reason'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
] as const

const isTime = (field: string): boolean => field === 'eventTime' || field.endsWith('Timestamp')

/** The rules of events.k8s.io Events: only the series may change. */
export const eventsEventRules = checkedKind<EventsEvent>({
  group: 'events.k8s.io',
  kind: 'Event',
  resource: 'events',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkEvent(ofNew(object), at, 'reportingController')
    checkMetadata()
    checkSeries(object, at)
    checkNewFields(object, at)
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkEvent(ofNew(object), at, 'reportingController')
    checkMetadataUpdate()
    if (!sameValue(object.series, old.series)) checkSeries(object, at)
    checkReference(object.regarding, old.regarding, at.child('involvedObject'))
    for (const [field, own] of unchanging) {
      if (field === 'source' && !sameValue(object[own], old[own])) {
        const printed = printStruct(object.deprecatedSource ?? {}, 'EventSource')
        at.child(field).invalidPrinted(printed, 'field is immutable')
      } else if (!isTime(own) && typeof (object[own] ?? old[own]) === 'string') {
        checkImmutable(object[own] ?? '', old[own] ?? '', at.child(field))
      } else checkImmutable(object[own], old[own], at.child(field))
    }
    checkReference(object.related, old.related, at.child('related'))
    for (const field of ['reportingController', 'reportingInstance'] as const) {
      checkImmutable(object[field] ?? '', old[field] ?? '', at.child(field))
    }
  },
})

function checkReference(value: unknown, old: unknown, at: FieldPath): void {
  if (sameValue(value, old)) return
  const printed = value === undefined ? 'null' : printStruct(value, 'ObjectReference')
  at.invalidPrinted(printed, 'field is immutable')
}
