/** Which requests webhooks and admission policies match. */
import type { CompiledExpression } from 'setpoint/cel'
import { repetition } from '../fields/repetition.ts'
import type { MatchResources, RuleWithOperations } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkLabelSelector, checkQualifiedName } from '../fields/check-label-selector.ts'
import { pathSegmentProblems } from '../fields/name-rules.ts'

type Rule = Decoded<RuleWithOperations>

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes = ['*', 'Cluster', 'Namespaced']

/** How a failure of the webhook or policy itself is treated. */
export const failurePolicies = ['Fail', 'Ignore']
/** Whether other versions of a resource match. */
export const matchPolicies = ['Equivalent', 'Exact']
/** Whether a mutation may be called again. */
export const reinvocationPolicies = ['IfNeeded', 'Never']

function checkLoneStar(values: readonly string[], at: FieldPath, what: string): void {
  if (values.length < 2 || !values.includes('*')) return
  at.invalid(values, `if '*' is present, must not specify other ${what}`)
}

/** Checks operations, groups, versions, resources and scope. */
export function checkAdmissionRule(rule: Rule, at: FieldPath): void {
  const { operations: chosen = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule
  const operationsAt = at.child('operations')
  if (chosen.length === 0) operationsAt.required()
  checkLoneStar(chosen, operationsAt, 'operations')
  for (const [index, operation] of chosen.entries()) {
    if (!operations.includes(operation))
      operationsAt.index(index).notSupported(operation, operations)
  }
  if (apiGroups.length === 0) at.child('apiGroups').required()
  checkLoneStar(apiGroups, at.child('apiGroups'), 'API groups')
  if (apiVersions.length === 0) at.child('apiVersions').required()
  checkLoneStar(apiVersions, at.child('apiVersions'), 'API versions')
  for (const [index, version] of apiVersions.entries()) {
    if (version === '') at.child('apiVersions').index(index).required()
  }
  checkResources(resources, at.child('resources'))
  if (scope !== undefined && !scopes.includes(scope)) {
    at.child('scope').notSupported(scope, scopes)
  }
}

function checkResources(resources: readonly string[], at: FieldPath): void {
  if (resources.length === 0) at.required()
  const allOf = new Set<string>()
  const inAll = new Set<string>()
  let endsWithPlainResource = false
  for (const [index, resource] of resources.entries()) {
    if (resource === '') {
      at.index(index).required()
      continue
    }
    const slash = resource.indexOf('/')
    if (slash < 0) {
      endsWithPlainResource = resource !== '*'
      continue
    }
    const [name, subresource] = [resource.slice(0, slash), resource.slice(slash + 1)]
    const refuse = (pattern: string) =>
      at.index(index).invalid(resource, `if '${pattern}' is present, must not specify ${resource}`)
    if (allOf.has(name)) refuse(`${name}/*`)
    if (inAll.has(subresource)) refuse(`*/${subresource}`)
    if (subresource === '*') allOf.add(name)
    if (name === '*') inAll.add(subresource)
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    at.invalid(resources, "if '*/*' is present, must not specify other resources")
  }
  if (resources.includes('*') && endsWithPlainResource) {
    const detail = "if '*' is present, must not specify other resources without subresources"
    at.invalid(resources, detail)
  }
}

/** Checks match conditions; `compiled` has their programs. */
export function checkMatchConditions(
  conditions: readonly { readonly name?: string; readonly expression?: string }[],
  at: FieldPath,
  compiled: readonly CompiledExpression[],
): void {
  const names = new Set<string>()
  if (conditions.length > 64) at.tooMany(conditions.length, 64)
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const place = at.index(index)
    const expressionAt = place.child('expression')
    if (expression.trim() === '') expressionAt.required()
    else {
      const problem = compiled[index]?.problem
      if (problem !== undefined) expressionAt.invalid(expression, problem)
    }
    if (name === '') place.child('name').required()
    else {
      checkQualifiedName(name, place.child('name'))
      if (names.has(name)) place.child('name').duplicate(name)
      names.add(name)
    }
  }
}

/** Checks which objects a policy or a binding matches. */
export function checkMatchResources(match: Decoded<MatchResources>, at: FieldPath): void {
  const { matchPolicy, namespaceSelector, objectSelector } = match
  if (matchPolicy === undefined) at.child('matchPolicy').required()
  else if (!matchPolicies.includes(matchPolicy)) {
    at.child('matchPolicy').notSupported(matchPolicy, matchPolicies)
  }
  if (namespaceSelector === undefined) at.child('namespaceSelector').required()
  checkLabelSelector(namespaceSelector, at.child('namespaceSelector'))
  if (objectSelector === undefined) at.child('objectSelector').required()
  checkLabelSelector(objectSelector, at.child('objectSelector'))
  for (const field of ['resourceRules', 'excludeResourceRules'] as const) {
    for (const [index, rule] of (match[field] ?? []).entries()) {
      const place = at.child(field).index(index)
      const isRepeated = repetition()
      for (const [number, name] of (rule.resourceNames ?? []).entries()) {
        const nameAt = place.child('resourceNames').index(number)
        nameAt.invalidEach(name, pathSegmentProblems(name))
        if (isRepeated(name)) nameAt.duplicate(name)
      }
      checkAdmissionRule(rule, place)
    }
  }
}
