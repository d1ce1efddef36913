// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/apiregistration-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { Time } from './meta-v1.ts'

/** Registers a group version that an extension API server serves. */
export interface APIService {
  apiVersion: 'apiregistration.k8s.io/v1'
  kind: 'APIService'
  metadata: StoredMetadata<'Cluster'>
  spec: APIServiceSpec
  status?: APIServiceStatus
}

export const APIService: ExactKind<APIService> = /* @__PURE__ */ defineKind<APIService>({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  plural: 'apiservices',
  singular: 'apiservice',
  scope: 'Cluster',
  subresources: ['status'],
  protobuf: messages.APIService,
})

export interface APIServiceCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface APIServiceSpec {
  caBundle?: string
  group?: string
  groupPriorityMinimum: number
  insecureSkipTLSVerify?: boolean
  service?: ServiceReference
  version?: string
  versionPriority: number
}

export interface APIServiceStatus {
  conditions?: APIServiceCondition[]
}

export interface ServiceReference {
  name?: string
  namespace?: string
  port?: number
}
