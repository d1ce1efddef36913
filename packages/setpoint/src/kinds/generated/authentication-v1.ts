// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import { defineKind, type ExactKind } from '../define-kind.ts'
import type { RequestMetadata } from '../metadata.ts'
import type { ObjectMeta, Time } from './meta-v1.ts'

export interface BoundObjectReference {
  apiVersion?: string
  kind?: string
  name?: string
  uid?: string
}

/** Asks for the identity of the caller. */
export interface SelfSubjectReview {
  apiVersion: 'authentication.k8s.io/v1'
  kind: 'SelfSubjectReview'
  metadata: RequestMetadata<'Cluster'>
  status?: SelfSubjectReviewStatus
}

export const SelfSubjectReview: ExactKind<SelfSubjectReview> =
  /* @__PURE__ */ defineKind<SelfSubjectReview>({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    singular: 'selfsubjectreview',
    scope: 'Cluster',
    verbs: ['create'],
  })

export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo
}

export interface TokenRequest {
  apiVersion: 'authentication.k8s.io/v1'
  kind: 'TokenRequest'
  metadata?: ObjectMeta
  spec?: TokenRequestSpec
  status?: TokenRequestStatus
}

export interface TokenRequestSpec {
  audiences?: string[] | null
  boundObjectRef?: BoundObjectReference | null
  expirationSeconds?: number | null
}

export interface TokenRequestStatus {
  expirationTimestamp?: Time | null
  token?: string
}

/** Asks for the user of a token. */
export interface TokenReview {
  apiVersion: 'authentication.k8s.io/v1'
  kind: 'TokenReview'
  metadata: RequestMetadata<'Cluster'>
  spec: TokenReviewSpec
  status?: TokenReviewStatus
}

export const TokenReview: ExactKind<TokenReview> = /* @__PURE__ */ defineKind<TokenReview>({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  singular: 'tokenreview',
  scope: 'Cluster',
  verbs: ['create'],
})

export interface TokenReviewSpec {
  audiences?: string[]
  token: string
}

export interface TokenReviewStatus {
  audiences?: string[]
  authenticated?: boolean
  error?: string
  user?: UserInfo
}

export interface UserInfo {
  extra?: Record<string, string[]>
  groups?: string[]
  uid?: string
  username?: string
}
