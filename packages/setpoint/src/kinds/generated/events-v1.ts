// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/events-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { EventSource, ObjectReference } from './core-v1.ts'
import type { MicroTime, Time } from './meta-v1.ts'

/** The same events as `Event`, in the newer form of `events.k8s.io/v1`. */
export interface EventsEvent {
  apiVersion: 'events.k8s.io/v1'
  kind: 'Event'
  metadata: StoredMetadata<'Namespaced'>
  action?: string
  deprecatedCount?: number
  deprecatedFirstTimestamp?: Time | null
  deprecatedLastTimestamp?: Time | null
  deprecatedSource: EventSource
  eventTime: MicroTime | null
  note?: string
  reason?: string
  regarding: ObjectReference
  related?: ObjectReference
  reportingController?: string
  reportingInstance?: string
  series?: EventsEventSeries
  type?: string
}

export const EventsEvent: ExactKind<EventsEvent> = /* @__PURE__ */ defineKind<EventsEvent>({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  scope: 'Namespaced',
  protobuf: messages.Event,
})

export interface EventsEventSeries {
  count: number
  lastObservedTime: MicroTime
}
