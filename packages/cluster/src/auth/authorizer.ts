import type { PolicyRule } from './policy-rule.ts'
import type { UserInfo } from './user-info.ts'

/** What somebody wants to do. */
export interface AccessAttributes {
  readonly user: UserInfo
  readonly verb: string
  /** Whether it is about a resource; else only `path` counts. */
  readonly isResource: boolean
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
}

/** Whether it is allowed, and by what. */
export interface Decision {
  readonly isAllowed: boolean
  /** `RBAC: allowed by ClusterRoleBinding ...`; empty when nothing allows it. */
  readonly reason: string
}

/** Decides what users may do. */
export interface Authorizer {
  authorize(attributes: AccessAttributes): Decision
  /** Everything a user may do in a namespace and cluster-wide. */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[]
}
