import type { PolicyRule } from './policy-rule.ts'
import type { UserInfo } from './user-info.ts'

/** The request of a user, as the authorizer sees it. */
export interface AccessAttributes {
  readonly user: UserInfo
  readonly verb: string
  /** Whether it is a resource request; otherwise only `path` counts. */
  readonly isResource: boolean
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
}

/** Whether it is allowed, and why. */
export interface Decision {
  readonly isAllowed: boolean
  /** `RBAC: allowed by ClusterRoleBinding ...`; empty if no rule allows it. */
  readonly reason: string
}

/** Decides what users may do. */
export interface Authorizer {
  authorize(attributes: AccessAttributes): Decision
  /** All rules of a user in a namespace and cluster-wide. */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[]
}
