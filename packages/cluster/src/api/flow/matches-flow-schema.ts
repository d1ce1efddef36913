import type { FlowSchema } from 'setpoint/kinds'
import type { UserInfo } from '../../auth/index.ts'
import type { RequestInfo } from '../http/request-info.ts'

type PolicyRule = NonNullable<FlowSchema['spec']['rules']>[number]
type Subject = PolicyRule['subjects'][number]
type ResourceRule = NonNullable<PolicyRule['resourceRules']>[number]
type NonResourceRule = NonNullable<PolicyRule['nonResourceRules']>[number]

/** Whether one of the rules of a FlowSchema matches the user and the request. */
export function matchesFlowSchema(
  { spec }: Pick<FlowSchema, 'spec'>,
  user: UserInfo,
  info: RequestInfo,
): boolean {
  return (spec.rules ?? []).some(({ subjects, resourceRules, nonResourceRules }) => {
    if (!subjects.some((subject) => matchesSubject(subject, user))) return false
    return info.isResource
      ? (resourceRules ?? []).some((rule) => matchesResource(rule, info))
      : (nonResourceRules ?? []).some((rule) => matchesPath(rule, info))
  })
}

function matchesSubject({ kind, user: one, group, serviceAccount }: Subject, user: UserInfo) {
  switch (kind) {
    case 'User':
      return one !== undefined && (one.name === '*' || one.name === user.name)
    case 'Group':
      return group !== undefined && (group.name === '*' || user.groups.includes(group.name))
    case 'ServiceAccount': {
      if (serviceAccount === undefined) return false
      const prefix = `system:serviceaccount:${serviceAccount.namespace}:`
      return serviceAccount.name === '*'
        ? user.name.startsWith(prefix)
        : user.name === prefix + serviceAccount.name
    }
    default:
      return false
  }
}

function matchesResource(rule: ResourceRule, info: RequestInfo): boolean {
  const { verb, group, resource, subresource, namespace } = info
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  return (
    includes(rule.verbs, verb) &&
    includes(rule.resources, what) &&
    includes(rule.apiGroups, group) &&
    (namespace === '' ? rule.clusterScope === true : includes(rule.namespaces ?? [], namespace))
  )
}

function matchesPath(rule: NonResourceRule, { verb, path }: RequestInfo): boolean {
  return (
    includes(rule.verbs, verb) &&
    rule.nonResourceURLs.some((url) => {
      if (url === '*' || url === path) return true
      return path.startsWith(url.replace(/\*$/, '').replace(/([^/])$/, '$1/'))
    })
  )
}

function includes(list: readonly string[], value: string): boolean {
  return (list.length === 1 && list[0] === '*') || list.includes(value)
}
