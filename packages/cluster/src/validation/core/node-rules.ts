import type { Node } from 'setpoint/kinds'
import { goQuote } from 'setpoint/schema'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { isDualStack, parseCidr } from '../fields/ip-address.ts'
import { checkLegacyCidr } from '../fields/ip-rules.ts'
import { checkedKind, type Created, type Updated } from '../kind-rules.ts'
import { checkQualifiedName } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { byteLength, labelValueProblems } from '../fields/name-rules.ts'
import { checkAmount } from '../fields/resource-names.ts'
import { checkTaintEffect } from '../pod/check-tolerations.ts'

type DecodedNode = Created<Node>['object']
type Taint = NonNullable<NonNullable<DecodedNode['spec']>['taints']>[number]

/** A real server reports taints below metadata. */
function checkTaints(taints: readonly Taint[], at: FieldPath): void {
  const seen = new Set<string>()
  for (const [index, taint] of taints.entries()) {
    const { key = '', value = '', effect = '' } = taint
    const place = at.index(index)
    checkQualifiedName(key, place.child('key'))
    const problems = labelValueProblems(value)
    if (problems.length > 0) place.child('value').invalid(value, problems.join(';'))
    checkTaintEffect(effect, place.child('effect'))
    const id = `${effect}/${key}`
    if (seen.has(id)) {
      const printed = printStruct(taint, 'Taint')
      place.duplicatePrinted(printed, 'taints must be unique by key and effect pair')
    }
    seen.add(id)
  }
}

function checkAmounts({ status = {} }: DecodedNode, at: FieldPath): void {
  for (const field of ['capacity', 'allocatable'] as const) {
    for (const [name, amount = '0'] of Object.entries(status[field] ?? {})) {
      checkAmount(name, amount, at.child('status', field, name))
    }
  }
}

function checkDeclaredFeatures({ status = {} }: DecodedNode, at: FieldPath): void {
  const features = status.declaredFeatures ?? []
  const place = at.child('status', 'declaredFeatures')
  for (const [index, feature] of features.entries()) {
    if (byteLength(feature) > 253) {
      const detail = `invalid feature name ${goQuote(feature)}: must be no more than 253 characters`
      place.index(index).invalid(feature, detail)
    } else if (!/^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(feature)) {
      const detail = `invalid feature name ${goQuote(feature)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`
      place.index(index).invalid(feature, detail)
    }
    const next = features[index + 1]
    if (next === undefined) continue
    if (feature === next) place.index(index + 1).duplicate(next)
    else if (feature > next) {
      place.index(index + 1).invalid(next, 'list must be sorted alphabetically')
    }
  }
}

/** `podCIDR` is the first of `podCIDRs`; where they differ, it wins. */
function podCidrsOf({ spec = {} }: DecodedNode): readonly string[] {
  const { podCIDR = '', podCIDRs = [] } = spec
  return podCIDR === '' || podCIDR === podCIDRs[0] ? podCIDRs : [podCIDR]
}

function checkPodCidrs(node: DecodedNode, at: FieldPath): void {
  const podCIDRs = podCidrsOf(node)
  const place = at.child('spec', 'podCIDRs')
  for (const [index, cidr] of podCIDRs.entries()) checkLegacyCidr(cidr, place.index(index))
  if (podCIDRs.length < 2) return
  const families = podCIDRs.map((cidr) => parseCidr(cidr)?.address)
  if (families.includes(undefined)) {
    const index = families.indexOf(undefined)
    const why = `invalid CIDR[${index}]: <nil> (invalid CIDR address: ${podCIDRs[index] ?? ''})`
    place.internal(`invalid PodCIDRs. failed to check with dual stack with error:${why}`)
  }
  if (!isDualStack(families) || podCIDRs.length > 2) {
    place.invalid(podCIDRs, 'may specify no more than one CIDR for each IP family')
  }
}

function checkUpdate({ object, old, at }: Updated<Node>): void {
  const { spec = {}, status = {} } = object
  const { spec: oldSpec = {} } = old
  checkAmounts(object, at)
  checkDeclaredFeatures(object, at)
  const seen = new Set<string>()
  for (const [index, address] of (status.addresses ?? []).entries()) {
    const printed = printStruct(address, 'NodeAddress')
    if (seen.has(printed)) at.child('status', 'addresses').index(index).duplicatePrinted(printed)
    seen.add(printed)
  }
  const before = podCidrsOf(old)
  const cidrs = podCidrsOf(object)
  const detail = 'node updates may not change podCIDR except from "" to valid'
  const cidrsAt = at.child('spec', 'podCIDRs')
  if (before.length > 0 && before.length !== cidrs.length) cidrsAt.forbidden(detail)
  else {
    for (const [index, cidr] of before.entries()) {
      if (cidr !== cidrs[index]) cidrsAt.forbidden(detail)
    }
  }
  const id = spec.providerID ?? ''
  const oldId = oldSpec.providerID ?? ''
  if (oldId !== '' && oldId !== id) {
    const place = at.child('spec', 'providerID')
    place.forbidden('node updates may not change providerID except from "" to valid')
  }
  if ((spec.taints ?? []).length > 0) checkTaints(spec.taints ?? [], at.child('metadata', 'taints'))
  if ((spec.externalID ?? '') !== (oldSpec.externalID ?? '')) {
    at.child('spec', 'externalID').forbidden('may not be updated')
  }
}

function checkNode({ object, at, checkMetadata }: Created<Node>): void {
  checkMetadata()
  checkTaints(object.spec?.taints ?? [], at.child('metadata', 'taints'))
  checkAmounts(object, at)
  checkDeclaredFeatures(object, at)
  checkPodCidrs(object, at)
}

/** The rules of Nodes. */
export const nodeRules = checkedKind<Node>({
  group: '',
  kind: 'Node',
  resource: 'nodes',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create: checkNode,
  update(updated) {
    checkNode(updated)
    updated.checkMetadataUpdate()
    checkUpdate(updated)
  },
  subresources: {
    status(updated) {
      updated.checkMetadataUpdate()
      checkUpdate(updated)
    },
  },
})
