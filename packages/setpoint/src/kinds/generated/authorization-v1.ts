// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import { defineKind, type ExactKind } from '../define-kind.ts'
import type { RequestMetadata } from '../metadata.ts'
import type { FieldSelectorRequirement, LabelSelectorRequirement } from './meta-v1.ts'

export interface FieldSelectorAttributes {
  rawSelector?: string
  requirements?: FieldSelectorRequirement[]
}

export interface LabelSelectorAttributes {
  rawSelector?: string
  requirements?: LabelSelectorRequirement[]
}

/** Asks whether a subject may do something in one namespace. */
export interface LocalSubjectAccessReview {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'LocalSubjectAccessReview'
  metadata: RequestMetadata<'Namespaced'>
  spec: SubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
}

export const LocalSubjectAccessReview: ExactKind<LocalSubjectAccessReview> =
  /* @__PURE__ */ defineKind<LocalSubjectAccessReview>({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    singular: 'localsubjectaccessreview',
    scope: 'Namespaced',
    verbs: ['create'],
  })

export interface NonResourceAttributes {
  path?: string
  verb?: string
}

export interface NonResourceRule {
  nonResourceURLs?: string[]
  verbs: string[]
}

export interface ResourceAttributes {
  fieldSelector?: FieldSelectorAttributes
  group?: string
  labelSelector?: LabelSelectorAttributes
  name?: string
  namespace?: string
  resource?: string
  subresource?: string
  verb?: string
  version?: string
}

export interface ResourceRule {
  apiGroups?: string[]
  resourceNames?: string[]
  resources?: string[]
  verbs: string[]
}

/** Asks whether the caller may do something. */
export interface SelfSubjectAccessReview {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'SelfSubjectAccessReview'
  metadata: RequestMetadata<'Cluster'>
  spec: SelfSubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
}

export const SelfSubjectAccessReview: ExactKind<SelfSubjectAccessReview> =
  /* @__PURE__ */ defineKind<SelfSubjectAccessReview>({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    singular: 'selfsubjectaccessreview',
    scope: 'Cluster',
    verbs: ['create'],
  })

export interface SelfSubjectAccessReviewSpec {
  nonResourceAttributes?: NonResourceAttributes
  resourceAttributes?: ResourceAttributes
}

/** Asks for everything the caller may do in one namespace. */
export interface SelfSubjectRulesReview {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'SelfSubjectRulesReview'
  metadata: RequestMetadata<'Cluster'>
  spec: SelfSubjectRulesReviewSpec
  status?: SubjectRulesReviewStatus
}

export const SelfSubjectRulesReview: ExactKind<SelfSubjectRulesReview> =
  /* @__PURE__ */ defineKind<SelfSubjectRulesReview>({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    singular: 'selfsubjectrulesreview',
    scope: 'Cluster',
    verbs: ['create'],
  })

export interface SelfSubjectRulesReviewSpec {
  namespace?: string
}

/** Asks whether a subject may do something. */
export interface SubjectAccessReview {
  apiVersion: 'authorization.k8s.io/v1'
  kind: 'SubjectAccessReview'
  metadata: RequestMetadata<'Cluster'>
  spec: SubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
}

export const SubjectAccessReview: ExactKind<SubjectAccessReview> =
  /* @__PURE__ */ defineKind<SubjectAccessReview>({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    singular: 'subjectaccessreview',
    scope: 'Cluster',
    verbs: ['create'],
  })

export interface SubjectAccessReviewSpec {
  extra?: Record<string, string[]>
  groups?: string[]
  nonResourceAttributes?: NonResourceAttributes
  resourceAttributes?: ResourceAttributes
  uid?: string
  user?: string
}

export interface SubjectAccessReviewStatus {
  allowed: boolean
  denied?: boolean
  evaluationError?: string
  reason?: string
}

export interface SubjectRulesReviewStatus {
  evaluationError?: string
  incomplete: boolean
  nonResourceRules: NonResourceRule[]
  resourceRules: ResourceRule[]
}
