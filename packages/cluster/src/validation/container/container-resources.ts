import { ownValue } from '../../object/index.ts'
import type { ResourceRequirements } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { labelProblems } from '../fields/name-rules.ts'
import { compareQuantities } from '../fields/compare-quantities.ts'
import {
  checkAmount,
  checkContainerResourceName,
  isHugePages,
  isOvercommitAllowed,
  isWholePages,
} from '../fields/resource-names.ts'

/** Requests, limits and claims of a container or a pod. */
export type Requirements = Decoded<ResourceRequirements>

/** The context of a check of requirements. */
interface RequirementRules {
  readonly checkName?: (name: string, at: FieldPath) => void
  /** The names of the pod's resource claims. */
  readonly claimNames?: ReadonlySet<string>
  /** The stored object already has such amounts. */
  readonly allowPartialPages?: boolean
}

/** Checks the resources of a container (with another name rule: of a pod). */
export function checkRequirements(
  { limits = {}, requests = {}, claims = [] }: Requirements,
  at: FieldPath,
  rules: RequirementRules = {},
): void {
  const { checkName = checkContainerResourceName } = rules
  for (const [name, quantity = '0'] of Object.entries(limits)) {
    const place = at.child('limits').key(name)
    checkName(name, place)
    checkAmount(name, quantity, place)
    checkPages({ name, quantity }, place, rules)
  }
  for (const [name, quantity = '0'] of Object.entries(requests)) {
    const place = at.child('requests').key(name)
    checkName(name, place)
    checkAmount(name, quantity, place)
    checkAgainstLimit({ name, quantity }, ownValue(limits, name), at)
    checkPages({ name, quantity }, place, rules)
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  const hasCompute = names.includes('cpu') || names.includes('memory')
  if (!hasCompute && names.some(isHugePages)) at.forbidden('HugePages require cpu or memory')
  checkClaims(claims, at.child('claims'), rules.claimNames ?? new Set())
}

interface Amount {
  readonly name: string
  readonly quantity: string
}

function checkPages({ name, quantity }: Amount, at: FieldPath, rules: RequirementRules): void {
  if (!isHugePages(name) || rules.allowPartialPages === true) return
  if (!isWholePages(name, quantity)) {
    at.invalid(quantity, `${quantity} is not positive integer multiple of ${name}`)
  }
}

function checkAgainstLimit(
  { name, quantity }: Amount,
  limit: string | undefined,
  at: FieldPath,
): void {
  const mustBeEqual = !isOvercommitAllowed(name)
  if (limit === undefined) {
    if (mustBeEqual) {
      at.child('limits').required('Limit must be set for non overcommitable resources')
    }
    return
  }
  const order = compareQuantities(quantity, limit)
  const place = at.child('requests')
  if (order !== 0 && mustBeEqual) {
    place.invalid(quantity, `must be equal to ${name} limit of ${limit}`)
  } else if (order > 0) {
    place.invalid(quantity, `must be less than or equal to ${name} limit of ${limit}`)
  }
}

function checkClaims(
  claims: NonNullable<Requirements['claims']>,
  at: FieldPath,
  podClaims: ReadonlySet<string>,
): void {
  const seen = new Set<string>()
  for (const [index, { name = '', request = '' }] of claims.entries()) {
    const place = at.index(index)
    if (name === '') {
      place.required()
      continue
    }
    if (seen.has(name)) place.duplicate(name)
    else {
      if (request !== '') place.child('request').invalidEach(request, labelProblems(request))
      const key = request === '' ? name : `${name}/${request}`
      if (seen.has(key)) place.duplicate(key)
      else if (request === '') {
        for (const other of seen) if (other.startsWith(`${name}/`)) place.duplicate(name)
      }
      seen.add(key)
    }
    if (podClaims.has(name)) continue
    const known = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].sort().join(', ')}`
    place.notFound(name, `must be one of the names in pod.spec.resourceClaims${known}`)
  }
}
