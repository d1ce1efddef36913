// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/rbac-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { LabelSelector } from './meta-v1.ts'

export interface AggregationRule {
  clusterRoleSelectors?: LabelSelector[]
}

/** Permissions on all namespaces and on cluster-scoped kinds, or a reusable set of them. */
export interface ClusterRole {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'ClusterRole'
  metadata: StoredMetadata<'Cluster'>
  aggregationRule?: AggregationRule
  rules?: PolicyRule[] | null
}

export const ClusterRole: ExactKind<ClusterRole> = /* @__PURE__ */ defineKind<ClusterRole>({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  singular: 'clusterrole',
  scope: 'Cluster',
  protobuf: messages.ClusterRole,
})

/** Gives the permissions of a ClusterRole to subjects everywhere. */
export interface ClusterRoleBinding {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'ClusterRoleBinding'
  metadata: StoredMetadata<'Cluster'>
  roleRef: RoleRef
  subjects?: Subject[]
}

export const ClusterRoleBinding: ExactKind<ClusterRoleBinding> =
  /* @__PURE__ */ defineKind<ClusterRoleBinding>({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    singular: 'clusterrolebinding',
    scope: 'Cluster',
    protobuf: messages.ClusterRoleBinding,
  })

export interface PolicyRule {
  apiGroups?: string[]
  nonResourceURLs?: string[]
  resourceNames?: string[]
  resources?: string[]
  verbs: string[]
}

/** Permissions inside one namespace. */
export interface Role {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'Role'
  metadata: StoredMetadata<'Namespaced'>
  rules?: PolicyRule[] | null
}

export const Role: ExactKind<Role> = /* @__PURE__ */ defineKind<Role>({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  plural: 'roles',
  singular: 'role',
  scope: 'Namespaced',
  protobuf: messages.Role,
})

/** Gives the permissions of a Role or ClusterRole to subjects, in one namespace. */
export interface RoleBinding {
  apiVersion: 'rbac.authorization.k8s.io/v1'
  kind: 'RoleBinding'
  metadata: StoredMetadata<'Namespaced'>
  roleRef: RoleRef
  subjects?: Subject[]
}

export const RoleBinding: ExactKind<RoleBinding> = /* @__PURE__ */ defineKind<RoleBinding>({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  singular: 'rolebinding',
  scope: 'Namespaced',
  protobuf: messages.RoleBinding,
})

export interface RoleRef {
  kind: string
  apiGroup?: string
  name: string
}

export interface Subject {
  kind: string
  apiGroup?: string
  name: string
  namespace?: string
}
