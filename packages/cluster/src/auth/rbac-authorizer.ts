import type { Store, StoredObject } from '../store/index.ts'
import type { AccessAttributes, Authorizer, Decision } from './authorizer.ts'
import type { PolicyRule } from './policy-rule.ts'
import { ruleAllows } from './rbac-rules.ts'
import type { UserInfo } from './user-info.ts'

/** A subject of a binding. */
interface Subject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** The role that a binding grants. */
export interface RoleRef {
  readonly kind: string
  readonly name: string
}

interface Binding {
  readonly subjects?: readonly Subject[]
  readonly roleRef: RoleRef
}

const buckets = {
  clusterRoles: 'rbac.authorization.k8s.io/clusterroles',
  clusterRoleBindings: 'rbac.authorization.k8s.io/clusterrolebindings',
  roles: 'rbac.authorization.k8s.io/roles',
  roleBindings: 'rbac.authorization.k8s.io/rolebindings',
} as const

/** The rules that a binding grants to a user. */
interface Grant {
  readonly rules: readonly PolicyRule[]
  /** `ClusterRoleBinding "x" of ClusterRole "y" to User "z"`. */
  readonly source: string
}

/** Authorizes by the roles and bindings in the store. */
export class RbacAuthorizer implements Authorizer {
  readonly #store: Store
  readonly #parsed = new WeakMap<StoredObject, unknown>()

  constructor(store: Store) {
    this.#store = store
  }

  authorize(requested: AccessAttributes): Decision {
    if (requested.user.groups.includes('system:masters')) return { isAllowed: true, reason: '' }
    for (const { rules, source } of this.grants(requested.user, requested.namespace)) {
      if (rules.some((rule) => ruleAllows(rule, requested))) {
        return { isAllowed: true, reason: `RBAC: allowed by ${source}` }
      }
    }
    return { isAllowed: false, reason: '' }
  }

  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return [...this.grants(user, namespace)].flatMap(({ rules }) => rules)
  }

  /** All grants of a user, cluster-wide and in one namespace. */
  *grants(user: UserInfo, namespace: string): Generator<Grant> {
    for (const stored of this.#store.list(buckets.clusterRoleBindings, '')) {
      const grant = this.#grant(stored, { user, namespace: '', kind: 'ClusterRoleBinding' })
      if (grant !== undefined) yield grant
    }
    if (namespace === '') return
    for (const stored of this.#store.list(buckets.roleBindings, `${namespace}/`)) {
      const grant = this.#grant(stored, { user, namespace, kind: 'RoleBinding' })
      if (grant !== undefined) yield grant
    }
  }

  /** The rules of a role; `undefined` if it does not exist. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const stored =
      kind === 'ClusterRole'
        ? this.#store.get(buckets.clusterRoles, name)
        : this.#store.get(buckets.roles, `${namespace}/${name}`)
    if (stored === undefined) return undefined
    return this.#read<{ rules?: PolicyRule[] | null }>(stored).rules ?? []
  }

  #grant(
    stored: StoredObject,
    { user, namespace, kind }: { user: UserInfo; namespace: string; kind: string },
  ): Grant | undefined {
    const { subjects, roleRef } = this.#read<Binding>(stored)
    const subject = subjects?.find((candidate) => isSubject(candidate, user, namespace))
    if (subject === undefined) return undefined
    const name = stored.key.slice(stored.key.indexOf('/') + 1)
    const binding = namespace === '' ? `"${name}"` : `"${name}/${namespace}"`
    const source = `${kind} ${binding} of ${roleRef.kind} "${roleRef.name}" to ${subjectText(subject)}`
    return { rules: this.rulesOf(roleRef, namespace) ?? [], source }
  }

  /**
   * Parsed once per revision, because every request of a user without system:masters reads all
   * bindings.
   */
  #read<T>(stored: StoredObject): T {
    let value = this.#parsed.get(stored)
    if (value === undefined) {
      value = JSON.parse(`{${stored.text}`)
      this.#parsed.set(stored, value)
    }
    return value as T
  }
}

function isSubject({ kind, name, namespace }: Subject, user: UserInfo, bound: string): boolean {
  switch (kind) {
    case 'User':
      return user.name === name
    case 'Group':
      return user.groups.includes(name)
    case 'ServiceAccount':
      return user.name === `system:serviceaccount:${namespace ?? bound}:${name}`
    default:
      return false
  }
}

function subjectText({ kind, name, namespace }: Subject): string {
  return kind === 'ServiceAccount'
    ? `ServiceAccount "${name}/${namespace ?? ''}"`
    : `${kind} "${name}"`
}
