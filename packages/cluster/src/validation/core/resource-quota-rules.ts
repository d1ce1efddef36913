import type { ResourceQuota } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import {
  checkAmount,
  checkQuotaResourceName,
  isStandardQuotaResource,
} from '../fields/resource-names.ts'

type Spec = NonNullable<Created<ResourceQuota>['object']['spec']>
type Amounts = Readonly<Record<string, string | undefined>>

const podResources = [
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
]
/** The resources that each scope can limit. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  Terminating: podResources,
  NotTerminating: podResources,
  BestEffort: ['pods'],
  NotBestEffort: podResources,
  PriorityClass: podResources,
  CrossNamespacePodAffinity: podResources,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
}
const conflicts = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

function checkAmounts(amounts: Amounts = {}, at: FieldPath): void {
  for (const [name, amount = '0'] of Object.entries(amounts)) {
    const place = at.key(name)
    checkQuotaResourceName(name, place)
    checkAmount(name, amount, place)
  }
}

/** The number of limited resources that the scope does not allow. */
function misfits(scope: string, hard: Amounts): number {
  const fitting = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined
  if (fitting === undefined) return 0
  const names = Object.keys(hard).filter(isStandardQuotaResource)
  return names.filter((name) => !fitting.includes(name)).length
}

function hasConflict(chosen: ReadonlySet<string>): boolean {
  return conflicts.some((pair) => pair.every((scope) => chosen.has(scope)))
}

function checkScopes({ scopes: chosen = [], hard = {} }: Spec, at: FieldPath): void {
  for (const scope of chosen) {
    if (!Object.hasOwn(scopes, scope)) at.invalid(chosen, 'unsupported scope')
    for (let count = misfits(scope, hard); count > 0; count--) {
      at.invalid(chosen, 'unsupported scope applied to resource')
    }
  }
  if (hasConflict(new Set(chosen))) at.invalid(chosen, 'conflicting scopes')
}

const existenceOnly = [
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]

function checkScopeSelector(spec: Spec, at: FieldPath): void {
  const { scopeSelector, hard = {} } = spec
  if (scopeSelector === undefined) return
  const chosen = new Set<string>()
  for (const { scopeName = '', operator = '', values = [] } of scopeSelector.matchExpressions ??
    []) {
    if (!Object.hasOwn(scopes, scopeName)) {
      at.child('scopeName').invalid(scopeName, 'unsupported scope')
    }
    for (let count = misfits(scopeName, hard); count > 0; count--) {
      const printed = printStruct(scopeSelector, 'ScopeSelector')
      at.invalidPrinted(printed, 'unsupported scope applied to resource')
    }
    if (existenceOnly.includes(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
      at.child('operator').invalid(operator, detail)
    }
    checkOperator(operator, values, at)
    chosen.add(scopeName)
  }
  if (hasConflict(chosen)) at.invalid(spec.scopes, 'conflicting scopes')
}

function checkOperator(operator: string, values: readonly string[], at: FieldPath): void {
  if (operator === 'In' || operator === 'NotIn') {
    const detail =
      "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
    if (values.length === 0) at.child('values').required(detail)
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail =
      "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
    if (values.length > 0) at.child('values').invalid(values, detail)
  } else at.child('operator').invalid(operator, 'not a valid selector operator')
}

function checkSpec(spec: Spec, at: FieldPath): void {
  checkAmounts(spec.hard, at.child('hard'))
  checkScopes(spec, at.child('scopes'))
  checkScopeSelector(spec, at.child('scopeSelector', 'matchExpressions'))
}

function checkStatus({ object, at }: Created<ResourceQuota>): void {
  checkAmounts(object.status?.hard, at.child('status', 'hard'))
  checkAmounts(object.status?.used, at.child('status', 'used'))
}

/** The rules of ResourceQuotas. */
export const resourceQuotaRules = checkedKind<ResourceQuota>({
  group: '',
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create(created) {
    created.checkMetadata()
    checkSpec(created.object.spec ?? {}, created.at.child('spec'))
    checkStatus(created)
  },
  update({ object, old, at, checkMetadataUpdate }) {
    const { scopes: chosen = [] } = object.spec ?? {}
    const before = new Set(old.spec?.scopes)
    checkMetadataUpdate()
    checkSpec(object.spec ?? {}, at.child('spec'))
    const after = new Set(chosen)
    const isSame = before.size === after.size && [...after].every((scope) => before.has(scope))
    if (!isSame) at.child('spec', 'scopes').invalid(object.spec?.scopes, 'field is immutable')
  },
  subresources: {
    status(updated) {
      const { object, at } = updated
      updated.checkMetadataUpdate()
      if ((object.metadata?.resourceVersion ?? '') === '') at.child('resourceVersion').required()
      checkStatus(updated)
    },
  },
})
