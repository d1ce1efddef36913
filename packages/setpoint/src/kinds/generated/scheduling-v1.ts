// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/scheduling-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'

/** A priority of pods for scheduling and preemption. */
export interface PriorityClass {
  apiVersion: 'scheduling.k8s.io/v1'
  kind: 'PriorityClass'
  metadata: StoredMetadata<'Cluster'>
  description?: string
  globalDefault?: boolean
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority'
  value?: number
}

export const PriorityClass: ExactKind<PriorityClass> = /* @__PURE__ */ defineKind<PriorityClass>({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  singular: 'priorityclass',
  shortNames: ['pc'],
  scope: 'Cluster',
  protobuf: messages.PriorityClass,
})
