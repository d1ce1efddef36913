// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/flowcontrol-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { Time } from './meta-v1.ts'

export interface ExemptPriorityLevelConfiguration {
  lendablePercent?: number
  nominalConcurrencyShares?: number
}

export interface FlowDistinguisherMethod {
  type: string
}

/** Decides which priority level a request to the API belongs to. */
export interface FlowSchema {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1'
  kind: 'FlowSchema'
  metadata: StoredMetadata<'Cluster'>
  spec: FlowSchemaSpec
  status?: FlowSchemaStatus
}

export const FlowSchema: ExactKind<FlowSchema> = /* @__PURE__ */ defineKind<FlowSchema>({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  singular: 'flowschema',
  scope: 'Cluster',
  subresources: ['status'],
  protobuf: messages.FlowSchema,
})

export interface FlowSchemaCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status?: string
  type?: string
}

export interface FlowSchemaSpec {
  distinguisherMethod?: FlowDistinguisherMethod
  matchingPrecedence?: number
  priorityLevelConfiguration: PriorityLevelConfigurationReference
  rules?: PolicyRulesWithSubjects[]
}

export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[]
}

export interface FlowcontrolSubject {
  kind: string
  group?: GroupSubject
  serviceAccount?: ServiceAccountSubject
  user?: UserSubject
}

export interface GroupSubject {
  name: string
}

export interface LimitResponse {
  queuing?: QueuingConfiguration
  type: string
}

export interface LimitedPriorityLevelConfiguration {
  borrowingLimitPercent?: number
  lendablePercent?: number
  limitResponse?: LimitResponse
  nominalConcurrencyShares?: number | null
}

export interface NonResourcePolicyRule {
  nonResourceURLs: string[]
  verbs: string[]
}

export interface PolicyRulesWithSubjects {
  nonResourceRules?: NonResourcePolicyRule[]
  resourceRules?: ResourcePolicyRule[]
  subjects: FlowcontrolSubject[]
}

/** How many requests of one priority level run at a time. */
export interface PriorityLevelConfiguration {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1'
  kind: 'PriorityLevelConfiguration'
  metadata: StoredMetadata<'Cluster'>
  spec: PriorityLevelConfigurationSpec
  status?: PriorityLevelConfigurationStatus
}

export const PriorityLevelConfiguration: ExactKind<PriorityLevelConfiguration> =
  /* @__PURE__ */ defineKind<PriorityLevelConfiguration>({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    singular: 'prioritylevelconfiguration',
    scope: 'Cluster',
    subresources: ['status'],
    protobuf: messages.PriorityLevelConfiguration,
  })

export interface PriorityLevelConfigurationCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status?: string
  type?: string
}

export interface PriorityLevelConfigurationReference {
  name: string
}

export interface PriorityLevelConfigurationSpec {
  exempt?: ExemptPriorityLevelConfiguration
  limited?: LimitedPriorityLevelConfiguration
  type: string
}

export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[]
}

export interface QueuingConfiguration {
  handSize?: number
  queueLengthLimit?: number
  queues?: number
}

export interface ResourcePolicyRule {
  apiGroups: string[]
  clusterScope?: boolean
  namespaces?: string[] | null
  resources: string[]
  verbs: string[]
}

export interface ServiceAccountSubject {
  name: string
  namespace: string
}

export interface UserSubject {
  name: string
}
