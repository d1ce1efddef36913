import { ownValue } from '../../object/index.ts'
import type { LimitRange } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { qualifiedNameProblems } from '../fields/name-rules.ts'
import { compareQuantities, milliValue } from '../fields/compare-quantities.ts'
import {
  checkContainerResourceName,
  checkResourceName,
  isOvercommitAllowed,
} from '../fields/resource-names.ts'

type Limit = NonNullable<NonNullable<Created<LimitRange>['object']['spec']>['limits']>[number]

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim']

function checkType(type: string, at: FieldPath): void {
  const problems = qualifiedNameProblems(type)
  at.invalidNamedEach(type, problems)
  if (problems.length > 0 || type.includes('/') || limitTypes.includes(type)) return
  at.invalidNamed(type, 'must be a standard limit type or fully qualified')
}

function checkLimit(limit: Limit, at: FieldPath): void {
  const { type = '', min = {}, max = {} } = limit
  const names = new Set<string>()
  const checkNames = (
    field: 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio',
  ) => {
    for (const name of Object.keys(limit[field] ?? {})) {
      const place = at.child(field).key(name)
      if (type === 'Pod' || type === 'Container') checkContainerResourceName(name, place)
      else checkResourceName(name, place)
      names.add(name)
    }
  }
  checkNames('max')
  checkNames('min')
  for (const field of ['default', 'defaultRequest'] as const) {
    if (type !== 'Pod') checkNames(field)
    else if (Object.keys(limit[field] ?? {}).length > 0) {
      at.child(field).forbidden("may not be specified when `type` is 'Pod'")
    }
  }
  const hasStorage = min['storage'] !== undefined || max['storage'] !== undefined
  if (type === 'PersistentVolumeClaim' && !hasStorage) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided'
    at.child('limits').required(detail)
  }
  checkNames('maxLimitRequestRatio')
  for (const name of names) {
    checkOrder(name, limit, at)
    checkRatio(name, limit, at)
  }
}

/** Reports amounts that are not in the order min, request, default, max. */
function checkOrder(name: string, limit: Limit, at: FieldPath): void {
  const isPod = limit.type === 'Pod'
  const [min, max] = [ownValue(limit.min, name), ownValue(limit.max, name)]
  const normal = isPod ? undefined : ownValue(limit.default, name)
  const request = isPod ? undefined : ownValue(limit.defaultRequest, name)
  const above = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0
  const place = (field: string) => at.child(field).key(name)
  if (above(min, max)) {
    place('min').invalid(min, `min value ${min} is greater than max value ${max}`)
  }
  if (above(min, request)) {
    const detail = `min value ${min} is greater than default request value ${request}`
    place('defaultRequest').invalid(request, detail)
  }
  if (above(request, max)) {
    const detail = `default request value ${request} is greater than max value ${max}`
    place('defaultRequest').invalid(request, detail)
  }
  if (above(request, normal)) {
    const detail = `default request value ${request} is greater than default limit value ${normal}`
    place('defaultRequest').invalid(request, detail)
  }
  // A real server shows the bound here, not the default.
  if (above(min, normal)) {
    place('default').invalid(min, `min value ${min} is greater than default value ${normal}`)
  }
  if (above(normal, max)) {
    place('default').invalid(max, `default value ${normal} is greater than max value ${max}`)
  }
}

function checkRatio(name: string, limit: Limit, at: FieldPath): void {
  const ratio = ownValue(limit.maxLimitRequestRatio, name)
  const [min, max] = [ownValue(limit.min, name), ownValue(limit.max, name)]
  const place = at.child('maxLimitRequestRatio').key(name)
  if (ratio !== undefined) {
    if (compareQuantities(ratio, '1') < 0) place.invalid(ratio, `ratio ${ratio} is less than 1`)
    if (min !== undefined && max !== undefined) {
      const possible = Number(milliValue(max)) / Number(milliValue(min))
      if (Number(milliValue(ratio)) / 1000 > possible) {
        const detail = `ratio ${ratio} is greater than max/min = ${possible.toFixed(6)}`
        place.invalid(ratio, detail)
      }
    }
  }
  if (limit.type === 'Pod' || isOvercommitAllowed(name)) return
  const [normal, request] = [ownValue(limit.default, name), ownValue(limit.defaultRequest, name)]
  if (normal === undefined || request === undefined) return
  if (compareQuantities(normal, request) === 0) return
  const detail = `default value ${normal} must equal to defaultRequest value ${request} in ${name}`
  at.child('defaultRequest').key(name).invalid(request, detail)
}

function checkLimitRange({ object, at, checkMetadata }: Created<LimitRange>): void {
  const types = new Set<string>()
  checkMetadata()
  for (const [index, limit] of (object.spec?.limits ?? []).entries()) {
    const { type = '' } = limit
    const place = at.child('spec', 'limits').index(index)
    checkType(type, place.child('type'))
    if (types.has(type)) place.child('type').duplicate(type)
    types.add(type)
    checkLimit(limit, place)
  }
}

/** The rules of LimitRanges. */
export const limitRangeRules = checkedKind<LimitRange>({
  group: '',
  kind: 'LimitRange',
  resource: 'limitranges',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create: checkLimitRange,
  update: checkLimitRange,
})
