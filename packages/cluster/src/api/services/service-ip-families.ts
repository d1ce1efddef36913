import { fieldError, jsonEquals, type FieldError, type JsonValue } from 'setpoint/schema'

/** The fields of a service that its IP families depend on. */
export interface ServiceFamilies {
  type?: string
  clusterIP?: string
  clusterIPs?: string[]
  ipFamilies?: string[]
  ipFamilyPolicy?: string
  selector?: Record<string, string>
}

const single = 'SingleStack'
const prefers = 'PreferDualStack'
const requires = 'RequireDualStack'

/** A headless service without a selector. */
function isHeadlessWithoutSelector({ clusterIP, selector }: ServiceFamilies): boolean {
  return clusterIP === 'None' && Object.keys(selector ?? {}).length === 0
}

/** Sets the default ipFamilyPolicy. */
export function chooseFamilyPolicy(spec: ServiceFamilies, old: ServiceFamilies | undefined): void {
  spec.ipFamilyPolicy ??=
    old?.ipFamilyPolicy ?? (isHeadlessWithoutSelector(spec) ? requires : single)
}

/**
 * Sets the default IP families of a service, in place, for a cluster with IPv4 only. The addresses
 * and families are well-formed; the errors are about their combination.
 */
export function chooseFamilies(
  spec: ServiceFamilies,
  old: ServiceFamilies | undefined,
): FieldError[] {
  const errors = [...changeProblems(spec, old), ...countProblems(spec), ...inferFamilies(spec)]
  if (errors.length > 0) return errors
  if (isHeadlessWithoutSelector(spec)) {
    fillHeadlessFamilies(spec)
    return []
  }
  if (spec.ipFamilyPolicy === requires) {
    const detail = 'this cluster is not configured for dual-stack services'
    errors.push(fieldError.invalid('spec.ipFamilyPolicy', requires, detail))
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (family === 'IPv4') continue
    const field = `spec.ipFamilies[${index}]`
    errors.push(fieldError.invalid(field, family, 'not configured on this cluster'))
  }
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = ['IPv4']
  return errors
}

/** Whether the families are already chosen, so that an update must keep them. */
export function keepsFamilies(spec: ServiceFamilies, old: ServiceFamilies | undefined): boolean {
  return (
    old !== undefined &&
    old.type === spec.type &&
    spec.ipFamilyPolicy === prefers &&
    (old.ipFamilyPolicy ?? prefers) === prefers &&
    sameList(old.clusterIPs, spec.clusterIPs) &&
    sameList(old.ipFamilies, spec.ipFamilies)
  )
}

function sameList(a: JsonValue[] | undefined, b: JsonValue[] | undefined): boolean {
  return jsonEquals(a ?? [], b ?? [])
}

/**
 * A change to SingleStack releases the second family, and the second family can only be released
 * that way.
 */
function changeProblems(spec: ServiceFamilies, old: ServiceFamilies | undefined): FieldError[] {
  if (old === undefined) return []
  const errors: FieldError[] = []
  for (const [key, what] of [
    ['clusterIPs', 'cluster IP'],
    ['ipFamilies', 'IP family'],
  ] as const) {
    const now = spec[key] ?? []
    const before = old[key] ?? []
    if (spec.ipFamilyPolicy === single) {
      if (now.length > 1 && sameList(now, before)) spec[key] = now.slice(0, 1)
    } else if (now.length > 0 && now.length < before.length) {
      const detail = `must be 'SingleStack' to release the secondary ${what}`
      errors.push(fieldError.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy ?? '', detail))
    }
  }
  return errors
}

function countProblems({ ipFamilyPolicy, clusterIPs, ipFamilies }: ServiceFamilies): FieldError[] {
  if (ipFamilyPolicy !== single) return []
  const lists = [
    [clusterIPs, 'cluster IPs'],
    [ipFamilies, 'IP families'],
  ] as const
  return lists.flatMap(([list, what]) => {
    if (list?.length !== 2) return []
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`
    return [fieldError.invalid('spec.ipFamilyPolicy', single, detail)]
  })
}

/** Derives the families from the addresses. */
function inferFamilies(spec: ServiceFamilies): FieldError[] {
  const errors: FieldError[] = []
  const addresses = spec.clusterIPs ?? []
  const families = [...(spec.ipFamilies ?? [])]
  for (const [index, address] of addresses.entries()) {
    if (address === 'None') break
    if (index < families.length) continue
    if (address.includes(':')) {
      const detail = 'IPv6 is not configured on this cluster'
      errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, addresses, detail))
    } else families.push('IPv4')
  }
  if (families.length > 0) spec.ipFamilies = families
  return errors
}

/**
 * A headless service without a selector may have both families in any cluster, because its
 * endpoints are unknown.
 */
function fillHeadlessFamilies(spec: ServiceFamilies): void {
  const [first = 'IPv4', ...others] = spec.ipFamilies ?? []
  spec.ipFamilies = [first, ...others]
  if (others.length > 0 || spec.ipFamilyPolicy === single) return
  spec.ipFamilies.push(first === 'IPv4' ? 'IPv6' : 'IPv4')
}
