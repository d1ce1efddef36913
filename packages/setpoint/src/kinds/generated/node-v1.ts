// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/node-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { Toleration } from './core-v1.ts'
import type { Quantity } from './meta-v1.ts'

export interface Overhead {
  podFixed?: Record<string, Quantity>
}

/** Selects the container runtime of pods that name it. */
export interface RuntimeClass {
  apiVersion: 'node.k8s.io/v1'
  kind: 'RuntimeClass'
  metadata: StoredMetadata<'Cluster'>
  handler: string
  overhead?: Overhead
  scheduling?: Scheduling
}

export const RuntimeClass: ExactKind<RuntimeClass> = /* @__PURE__ */ defineKind<RuntimeClass>({
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  singular: 'runtimeclass',
  scope: 'Cluster',
  protobuf: messages.RuntimeClass,
})

export interface Scheduling {
  nodeSelector?: Record<string, string>
  tolerations?: Toleration[]
}
