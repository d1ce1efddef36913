/** Resource claims and pod-level resources. */
import type { PodContext } from '../container/container-rules.ts'
import { checkRequirements } from '../container/container-resources.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { labelProblems, subdomainProblems } from '../fields/name-rules.ts'
import type { Spec } from './pod-options.ts'
import { containerResources, ownValue } from '../../object/index.ts'
import { compareQuantities } from '../fields/compare-quantities.ts'
import { checkPodResourceName, isHugePages } from '../fields/resource-names.ts'

type Claim = NonNullable<Spec['resourceClaims']>[number]

/** Checks the resource claims of a pod. */
export function checkPodClaims(claims: readonly Claim[], at: FieldPath): void {
  const names = new Set<string>()
  for (const [index, claim] of claims.entries()) {
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim
    const place = at.index(index)
    if (name === '') place.child('name').required()
    else if (names.has(name)) place.child('name').duplicate(name)
    else {
      place.child('name').invalidEach(name, labelProblems(name))
      names.add(name)
    }
    const printed = () => printStruct(claim, 'PodResourceClaim')
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const detail =
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
      place.invalidPrinted(printed(), detail)
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
      place.invalidPrinted(printed(), detail)
    }
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const text = claim[field]
      if (text !== undefined) place.child(field).invalidEach(text, subdomainProblems(text))
    }
  }
}

/** Checks pod-level resources. */
export function checkPodResources(pod: PodContext, at: FieldPath): void {
  const { spec } = pod
  const { resources } = spec
  if (resources === undefined) return
  if (spec.os?.name === 'windows') return at.forbidden('may not be set for a windows pod')
  if (resources.claims !== undefined) {
    at.child('claims').forbidden('claims may not be set for Resources at pod-level')
  }
  checkRequirements(resources, at, {
    checkName: checkPodResourceName,
    claimNames: pod.claimNames,
    allowPartialPages: pod.options.allowPartialPages ?? false,
  })
  checkAggregates(spec, at)
}

function checkAggregates(spec: Spec, at: FieldPath): void {
  const { requests = {}, limits = {} } = spec.resources ?? {}
  for (const [name, sum] of containerResources(spec, 'requests')) {
    const own = ownValue(requests, name)
    if (own === undefined || compareQuantities(sum, own) <= 0) continue
    const detail = `must be greater than or equal to aggregate container requests of ${sum}`
    at.child('requests').key(name).invalid(own, detail)
  }
  for (const [name, sum] of containerResources(spec, 'limits')) {
    const own = ownValue(limits, name)
    if (!isHugePages(name) || own === undefined || compareQuantities(sum, own) <= 0) continue
    const detail = `must be greater than or equal to aggregate container limits of ${sum}`
    at.child('limits').key(name).invalid(own, detail)
  }
  for (const [index, { resources }] of (spec.containers ?? []).entries()) {
    for (const [name, limit = '0'] of Object.entries(resources?.limits ?? {})) {
      const own = ownValue(limits, name)
      if (own === undefined || compareQuantities(limit, own) <= 0) continue
      const place = at.child('containers').index(index).key(name).child('limits')
      place.invalid(limit, `must be less than or equal to pod limits of ${own}`)
    }
  }
}
