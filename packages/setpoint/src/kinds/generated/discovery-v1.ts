// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/discovery-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { ObjectReference } from './core-v1.ts'

export interface DiscoveryEndpointPort {
  appProtocol?: string
  name?: string
  port?: number
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

export interface Endpoint {
  addresses: string[]
  conditions?: EndpointConditions
  deprecatedTopology?: Record<string, string>
  hints?: EndpointHints
  hostname?: string
  nodeName?: string
  targetRef?: ObjectReference
  zone?: string
}

export interface EndpointConditions {
  ready?: boolean
  serving?: boolean
  terminating?: boolean
}

export interface EndpointHints {
  forNodes?: ForNode[]
  forZones?: ForZone[]
}

/** A part of the addresses behind a Service. */
export interface EndpointSlice {
  apiVersion: 'discovery.k8s.io/v1'
  kind: 'EndpointSlice'
  metadata: StoredMetadata<'Namespaced'>
  addressType: 'FQDN' | 'IPv4' | 'IPv6'
  endpoints?: Endpoint[] | null
  ports?: DiscoveryEndpointPort[] | null
}

export const EndpointSlice: ExactKind<EndpointSlice> = /* @__PURE__ */ defineKind<EndpointSlice>({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  singular: 'endpointslice',
  scope: 'Namespaced',
  protobuf: messages.EndpointSlice,
})

export interface ForNode {
  name: string
}

export interface ForZone {
  name: string
}
