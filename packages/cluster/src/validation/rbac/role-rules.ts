/** Roles and role bindings. */
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { checkLabelSelector, isReadableSelector } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { labelValueProblems, pathSegmentProblems, subdomainProblems } from '../fields/name-rules.ts'
import { sameValue } from '../fields/same-value.ts'

const group = 'rbac.authorization.k8s.io'

function checkPolicyRules(
  rules: readonly Decoded<PolicyRule>[],
  at: FieldPath,
  isNamespaced: boolean,
): void {
  for (const [index, rule] of rules.entries()) {
    const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule
    const urls = rule.nonResourceURLs ?? []
    const place = at.index(index)
    if (verbs.length === 0) place.child('verbs').required('verbs must contain at least one value')
    if (urls.length > 0) {
      const urlsAt = place.child('nonResourceURLs')
      if (isNamespaced) {
        urlsAt.invalid(urls, 'namespaced rules cannot apply to non-resource URLs')
      }
      if (apiGroups.length + resources.length + resourceNames.length > 0) {
        const detail = 'rules cannot apply to both regular resources and non-resource URLs'
        urlsAt.invalid(urls, detail)
      }
      continue
    }
    if (apiGroups.length === 0) {
      place.child('apiGroups').required('resource rules must supply at least one api group')
    }
    if (resources.length === 0) {
      place.child('resources').required('resource rules must supply at least one resource')
    }
  }
}

/** The rules of Roles. */
export const roleRules = checkedKind<Role>({
  group,
  kind: 'Role',
  resource: 'roles',
  namespaced: true,
  nameRule: nameRules.pathSegment,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkPolicyRules(object.rules ?? [], at.child('rules'), true)
  },
  update({ object, at, checkMetadata, checkMetadataUpdate }) {
    checkMetadata()
    checkPolicyRules(object.rules ?? [], at.child('rules'), true)
    checkMetadataUpdate()
  },
})

function checkClusterRole(created: Created<ClusterRole>, allowInvalidValues: boolean): void {
  const { object, at } = created
  created.checkMetadata()
  checkPolicyRules(object.rules ?? [], at.child('rules'), false)
  if (object.aggregationRule === undefined) return
  const selectors = object.aggregationRule.clusterRoleSelectors ?? []
  const place = at.child('aggregationRule', 'clusterRoleSelectors')
  if (selectors.length === 0) {
    place.required('at least one clusterRoleSelector required if aggregationRule is non-nil')
  }
  for (const [index, selector] of selectors.entries()) {
    checkLabelSelector(selector, place.index(index), { allowInvalidValues })
    // A real server prints the parsed selector, which is null.
    if (!isReadableSelector(selector)) place.index(index).invalid(null, 'invalid label selector.')
  }
}

/** The rules of ClusterRoles. */
export const clusterRoleRules = checkedKind<ClusterRole>({
  group,
  kind: 'ClusterRole',
  resource: 'clusterroles',
  namespaced: false,
  nameRule: nameRules.pathSegment,
  create(created) {
    checkClusterRole(created, false)
  },
  update(updated) {
    const selectors = updated.old.aggregationRule?.clusterRoleSelectors ?? []
    const hadBadValues = selectors.some(({ matchExpressions = [] }) =>
      matchExpressions.some(({ values = [] }) =>
        values.some((value) => labelValueProblems(value).length > 0),
      ),
    )
    checkClusterRole(updated, hadBadValues)
    updated.checkMetadataUpdate()
  },
})

type Binding = Created<RoleBinding>['object']
type Subject = NonNullable<Binding['subjects']>[number]

function checkBinding(
  { roleRef = {}, subjects = [] }: Pick<Binding, 'roleRef' | 'subjects'>,
  at: FieldPath,
  isNamespaced: boolean,
): void {
  const { apiGroup = '', kind = '', name = '' } = roleRef
  const place = at.child('roleRef')
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  if (apiGroup !== group) place.child('apiGroup').notSupportedText(apiGroup, [group])
  if (!kinds.includes(kind)) place.child('kind').notSupportedText(kind, kinds)
  if (name === '') place.child('name').required()
  else place.child('name').invalidEach(name, pathSegmentProblems(name))
  for (const [index, subject] of subjects.entries()) {
    checkSubject(subject, at.child('subjects').index(index), isNamespaced)
  }
}

function checkSubject(subject: Subject, at: FieldPath, isNamespaced: boolean): void {
  const { name = '', kind = '', apiGroup = '', namespace = '' } = subject
  if (name === '') at.child('name').required()
  if (kind === 'ServiceAccount') {
    if (name !== '') at.child('name').invalidEach(name, subdomainProblems(name))
    if (apiGroup !== '') at.child('apiGroup').notSupportedText(apiGroup, [''])
    if (!isNamespaced && namespace === '') at.child('namespace').required()
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) at.child('apiGroup').notSupportedText(apiGroup, [group])
  } else at.child('kind').notSupportedText(kind, ['ServiceAccount', 'User', 'Group'])
}

function checkSameRole(
  { roleRef }: Pick<Binding, 'roleRef'>,
  old: Pick<Binding, 'roleRef'>,
  at: FieldPath,
): void {
  if (sameValue(roleRef, old.roleRef)) return
  at.child('roleRef').invalidPrinted(printStruct(roleRef ?? {}, 'RoleRef'), 'cannot change roleRef')
}

/** The rules of RoleBindings. */
export const roleBindingRules = checkedKind<RoleBinding>({
  group,
  kind: 'RoleBinding',
  resource: 'rolebindings',
  namespaced: true,
  nameRule: nameRules.pathSegment,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkBinding(object, at, true)
  },
  update({ object, old, at, checkMetadata, checkMetadataUpdate }) {
    checkMetadata()
    checkBinding(object, at, true)
    checkMetadataUpdate()
    checkSameRole(object, old, at)
  },
})

/** The rules of ClusterRoleBindings. */
export const clusterRoleBindingRules = checkedKind<ClusterRoleBinding>({
  group,
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  namespaced: false,
  nameRule: nameRules.pathSegment,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkBinding(object, at, false)
  },
  update({ object, old, at, checkMetadata, checkMetadataUpdate }) {
    checkMetadata()
    checkBinding(object, at, false)
    checkMetadataUpdate()
    checkSameRole(object, old, at)
  },
})
