/** The kinds of flowcontrol.apiserver.k8s.io. */
import type { FlowSchema, PriorityLevelConfiguration } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkedKind, type Created, type Updated } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { labelProblems, subdomainProblems } from '../fields/name-rules.ts'
import { checkRequiredFields } from '../fields/required-fields.ts'
import { sameValue } from '../fields/same-value.ts'

type Rule = NonNullable<NonNullable<Created<FlowSchema>['object']['spec']>['rules']>[number]
type Subject = NonNullable<Rule['subjects']>[number]

const verbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
]
const precedenceMax = 10_000

function checkFlowSchema(
  { object, at, checkMetadata }: Created<FlowSchema>,
  checkFixed: () => void = () => undefined,
): void {
  const { metadata, spec = {}, status = {} } = object
  const { matchingPrecedence: precedence = 0, distinguisherMethod: method, rules = [] } = spec
  const place = at.child('spec')
  const precedenceAt = place.child('matchingPrecedence')
  checkMetadata()
  if (precedence <= 0) precedenceAt.invalid(precedence, 'must be a positive value')
  if (precedence > precedenceMax) {
    precedenceAt.invalid(precedence, `must not be greater than ${precedenceMax}`)
  }
  if (precedence === 1 && metadata?.name !== 'exempt') {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1"
    precedenceAt.invalid(precedence, detail)
  }
  if (method !== undefined && method.type !== 'ByUser' && method.type !== 'ByNamespace') {
    const printed = printStruct(method, 'FlowDistinguisherMethod')
    place
      .child('distinguisherMethod', 'type')
      .notSupportedPrinted(printed, ['ByNamespace', 'ByUser'])
  }
  const level = spec.priorityLevelConfiguration?.name ?? ''
  const levelAt = place.child('priorityLevelConfiguration', 'name')
  if (level === '') levelAt.required('must reference a priority level')
  else levelAt.invalidEach(level, subdomainProblems(level))
  for (const [index, rule] of rules.entries()) checkRule(rule, place.child('rules').index(index))
  checkFixed()
  checkConditionTypes(status.conditions ?? [], at.child('status', 'conditions'))
}

/** Without these two a server could refuse every request. */
const fixedNames = ['exempt', 'catch-all']

function checkFlowSchemaUpdate(updated: Updated<FlowSchema>): void {
  const { object, old, at } = updated
  const { metadata: { name = '' } = {}, spec = {} } = object
  checkFlowSchema(updated, () => {
    if (!fixedNames.includes(name) || sameValue(spec, old.spec)) return
    const detail = `spec of '${name}' must equal the fixed value`
    at.child('spec').invalidPrinted(printStruct(spec, 'FlowSchemaSpec'), detail)
  })
}

function checkConditionTypes(
  conditions: readonly { readonly type?: string }[],
  at: FieldPath,
): void {
  const seen = new Set<string>()
  for (const [index, { type = '' }] of conditions.entries()) {
    if (seen.has(type)) at.index(index).child('type').duplicate(type)
    seen.add(type)
    if (type === '') at.index(index).child('type').required()
  }
}

function checkRule(rule: Rule, at: FieldPath): void {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rule
  if (subjects.length === 0) {
    at.child('subjects').required('subjects must contain at least one value')
  }
  for (const [index, subject] of subjects.entries()) {
    checkSubject(subject, at.child('subjects').index(index))
  }
  if (resourceRules.length + nonResourceRules.length === 0) {
    at.required('at least one of resourceRules and nonResourceRules has to be non-empty')
  }
  for (const [index, resourceRule] of resourceRules.entries()) {
    checkResourceRule(resourceRule, at.child('resourceRules').index(index))
  }
  for (const [index, { verbs: chosen, nonResourceURLs = [] }] of nonResourceRules.entries()) {
    const place = at.child('nonResourceRules').index(index)
    checkVerbs(chosen ?? [], place.child('verbs'))
    const urlsAt = place.child('nonResourceURLs')
    if (nonResourceURLs.length === 0) {
      urlsAt.required('nonResourceURLs must contain at least one value')
    } else if (nonResourceURLs.includes('*')) {
      checkWildcard(nonResourceURLs, urlsAt, 'non-resource URLs')
    } else {
      for (const [number, url] of nonResourceURLs.entries()) checkUrlPath(url, urlsAt.index(number))
    }
  }
}

function checkUrlPath(path: string, at: FieldPath): void {
  if (path === '') return at.invalid(path, 'must not be empty')
  if (path === '/') return
  if (!path.startsWith('/')) return at.invalid(path, 'must start with slash')
  if (path.includes(' ')) return at.invalid(path, 'must not contain white-space')
  if (path.includes('//')) return at.invalid(path, 'must not contain double slash')
  const wildcards = path.split('*').length - 1
  if (wildcards > 1 || (wildcards === 1 && !path.endsWith('/*'))) {
    at.invalid(path, 'wildcard can only do suffix matching')
  }
}

const subjectFields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const

function checkSubject(subject: Subject, at: FieldPath): void {
  const kinds = ['Group', 'ServiceAccount', 'User'] as const
  const kind = kinds.find((known) => known === subject.kind)
  if (kind === undefined) return at.child('kind').notSupported(subject.kind ?? '', kinds)
  const field = subjectFields[kind]
  const value = subject[field]
  const place = at.child(field)
  if (value === undefined) place.required(`${field} is required when subject kind is '${kind}'`)
  else if (field !== 'serviceAccount') checkRequiredFields('name')(value, place)
  else checkAccount(subject.serviceAccount ?? {}, place)
  for (const other of ['ServiceAccount', 'User', 'Group'] as const) {
    const otherField = subjectFields[other]
    if (other === kind || subject[otherField] === undefined) continue
    const detail = `${otherField} is forbidden when subject kind is not '${other}'`
    at.child(otherField).forbidden(detail)
  }
}

function checkAccount(
  { name = '', namespace = '' }: NonNullable<Subject['serviceAccount']>,
  at: FieldPath,
): void {
  if (name === '') at.child('name').required()
  else if (name !== '*') at.child('name').invalidEach(name, subdomainProblems(name))
  if (namespace === '') {
    at.child('namespace').required('must specify namespace for service account')
  } else at.child('namespace').invalidEach(namespace, labelProblems(namespace))
}

function checkWildcard(values: readonly string[], at: FieldPath, what: string): void {
  if (values.length < 2 || !values.includes('*')) return
  at.invalid(values, `if '*' is present, must not specify other ${what}`)
}

function checkVerbs(chosen: readonly string[], at: FieldPath): void {
  if (chosen.length === 0) at.required('verbs must contain at least one value')
  else if (chosen.includes('*')) checkWildcard(chosen, at, 'verbs')
  else if (!chosen.every((verb) => verbs.includes(verb))) at.notSupported(chosen, verbs)
}

function checkResourceRule(rule: NonNullable<Rule['resourceRules']>[number], at: FieldPath): void {
  const { apiGroups = [], resources = [], clusterScope = false } = rule
  const namespaces = rule.namespaces ?? []
  checkVerbs(rule.verbs ?? [], at.child('verbs'))
  if (apiGroups.length === 0) {
    at.child('apiGroups').required('resource rules must supply at least one api group')
  }
  checkWildcard(apiGroups, at.child('apiGroups'), 'api groups')
  if (resources.length === 0) {
    at.child('resources').required('resource rules must supply at least one resource')
  }
  checkWildcard(resources, at.child('resources'), 'resources')
  const place = at.child('namespaces')
  if (namespaces.length === 0 && !clusterScope) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace'
    place.required(detail)
  } else if (namespaces.includes('*')) checkWildcard(namespaces, place, 'namespaces')
  else {
    const intro = "each member of this list must be '*' or a DNS-1123 label; "
    for (const [index, namespace] of namespaces.entries()) {
      const problems = labelProblems(namespace).map((problem) => intro + problem)
      place.index(index).invalidEach(namespace, problems)
    }
  }
}

/** The rules of FlowSchemas. */
export const flowSchemaRules = checkedKind<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  resource: 'flowschemas',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create: (created) => checkFlowSchema(created),
  update: checkFlowSchemaUpdate,
  subresources: {
    status({ object, at }) {
      checkConditionTypes(object.status?.conditions ?? [], at.child('status', 'conditions'))
    },
  },
})

type LevelSpec = NonNullable<Created<PriorityLevelConfiguration>['object']['spec']>
type Queuing = NonNullable<
  NonNullable<NonNullable<LevelSpec['limited']>['limitResponse']>['queuing']
>

function checkPercent(value: number | undefined, at: FieldPath): void {
  if (value === undefined || (value >= 0 && value <= 100)) return
  at.invalid(value, 'must be between 0 and 100, inclusive')
}

function checkShares(value: number | null | undefined, at: FieldPath): void {
  if (value !== undefined && value !== null && value < 0)
    at.invalid(value, 'must be a non-negative integer')
}

function checkLimited(limited: NonNullable<LevelSpec['limited']>, at: FieldPath): void {
  const { limitResponse = {}, borrowingLimitPercent: borrowing } = limited
  const { type = '', queuing } = limitResponse
  const place = at.child('limitResponse')
  checkShares(limited.nominalConcurrencyShares, at.child('nominalConcurrencyShares'))
  if (type === '') place.child('type').required()
  else if (type === 'Reject') {
    const detail = 'must be nil if limited.limitResponse.type is not Limited'
    if (queuing !== undefined) place.child('queuing').forbidden(detail)
  } else if (type !== 'Queue') place.child('type').notSupported(type, ['Queue', 'Reject'])
  else if (queuing === undefined) {
    const detail = 'must not be empty if limited.limitResponse.type is Limited'
    place.child('queuing').required(detail)
  } else checkQueuing(queuing, place.child('queuing'))
  checkPercent(limited.lendablePercent, at.child('lendablePercent'))
  if (borrowing !== undefined && borrowing < 0) {
    const detail = 'if specified, must be a non-negative integer'
    at.child('borrowingLimitPercent').invalid(borrowing, detail)
  }
}

const queuesMax = 10_000_000

function checkQueuing(queuing: Queuing, at: FieldPath): void {
  const { queueLengthLimit = 0, queues = 0, handSize = 0 } = queuing
  const [queuesAt, handAt] = [at.child('queues'), at.child('handSize')]
  if (queueLengthLimit <= 0) {
    at.child('queueLengthLimit').invalid(queueLengthLimit, 'must be positive')
  }
  if (queues <= 0) queuesAt.invalid(queues, 'must be positive')
  else if (queues > queuesMax) queuesAt.invalid(queues, `must not be greater than ${queuesMax}`)
  if (handSize <= 0) handAt.invalid(handSize, 'must be positive')
  else if (handSize > queues) {
    handAt.invalid(handSize, `should not be greater than queues (${queues})`)
  } else if (Math.ceil(Math.log2(queues) * handSize) > 60) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than 60`
    handAt.invalid(handSize, detail)
  }
}

function checkLevelUpdate(updated: Updated<PriorityLevelConfiguration>): void {
  const { object, old, at } = updated
  const { metadata: { name = '' } = {}, spec = {} } = object
  checkLevel(updated, () => {
    const isExempt = name === 'exempt'
    const part = isExempt ? { exempt: undefined } : {}
    if (!fixedNames.includes(name) || sameValue({ ...spec, ...part }, { ...old.spec, ...part })) {
      return
    }
    const except = isExempt ? " except the 'spec.exempt' field" : ''
    const detail = `spec of '${name}'${except} must equal the fixed value`
    at.child('spec').invalidPrinted(printStruct(spec, 'FlowLevelSpec'), detail)
  })
}

function checkLevel(
  { object, at, checkMetadata }: Created<PriorityLevelConfiguration>,
  checkFixed: () => void = () => undefined,
): void {
  const { spec = {}, metadata, status = {} } = object
  const { type = '', limited, exempt } = spec
  const place = at.child('spec')
  checkMetadata()
  if ((metadata?.name === 'exempt') !== (type === 'Exempt')) {
    place.child('type').invalid(type, "must be 'Exempt' if and only if `name` is 'exempt'")
  }
  if (type === 'Exempt') {
    if (limited !== undefined) {
      place.child('limited').forbidden('must be nil if the type is not Limited')
    }
    checkShares(exempt?.nominalConcurrencyShares, place.child('exempt', 'nominalConcurrencyShares'))
    checkPercent(exempt?.lendablePercent, place.child('exempt', 'lendablePercent'))
  } else if (type === 'Limited') {
    if (exempt !== undefined) place.child('exempt').forbidden('must be nil if the type is Limited')
    if (limited === undefined) {
      place.child('limited').required('must not be empty when type is Limited')
    } else checkLimited(limited, place.child('limited'))
  } else if (type === '') place.child('type').required()
  else place.child('type').notSupported(type, ['Exempt', 'Limited'])
  checkFixed()
  checkConditionTypes(status.conditions ?? [], at.child('status', 'conditions'))
}

/** The rules of PriorityLevelConfigurations. */
export const priorityLevelRules = checkedKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  resource: 'prioritylevelconfigurations',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create: (created) => checkLevel(created),
  update: checkLevelUpdate,
  subresources: {
    status({ object, at }) {
      checkConditionTypes(object.status?.conditions ?? [], at.child('status', 'conditions'))
    },
  },
})
