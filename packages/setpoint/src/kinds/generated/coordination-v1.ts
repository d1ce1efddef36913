// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/coordination-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { MicroTime } from './meta-v1.ts'

/** Records a holder and a renewal time: leader election, node heartbeats. */
export interface Lease {
  apiVersion: 'coordination.k8s.io/v1'
  kind: 'Lease'
  metadata: StoredMetadata<'Namespaced'>
  spec: LeaseSpec
}

export const Lease: ExactKind<Lease> = /* @__PURE__ */ defineKind<Lease>({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  singular: 'lease',
  scope: 'Namespaced',
  protobuf: messages.Lease,
})

export interface LeaseSpec {
  acquireTime?: MicroTime
  holderIdentity?: string
  leaseDurationSeconds?: number
  leaseTransitions?: number
  preferredHolder?: string
  renewTime?: MicroTime
  strategy?: string
}
