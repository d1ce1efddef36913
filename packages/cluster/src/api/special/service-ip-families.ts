import { fieldError, jsonEquals, type FieldError, type JsonValue } from 'setpoint/schema'

/** The parts of a service that the families of its addresses depend on. */
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

/** Whether neither an address nor a selector says where the service leads to. */
function isBare({ clusterIP, selector }: ServiceFamilies): boolean {
  return clusterIP === 'None' && Object.keys(selector ?? {}).length === 0
}

/** The policy of a service that does not say one. */
export function chooseFamilyPolicy(spec: ServiceFamilies, old: ServiceFamilies | undefined): void {
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isBare(spec) ? requires : single)
}

/**
 * Completes the families of a service's addresses, in place, as a cluster with IPv4 only does. The
 * addresses and families are well-formed; the problems are those of their combination.
 */
export function chooseFamilies(
  spec: ServiceFamilies,
  old: ServiceFamilies | undefined,
): FieldError[] {
  const errors = [...changeProblems(spec, old), ...countProblems(spec), ...inferFamilies(spec)]
  if (errors.length > 0) return errors
  if (isBare(spec)) {
    fillBareFamilies(spec)
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

/** Such a service has its families chosen already and an update must not choose anew. */
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

/** Asking for one family gives up the second one; giving it up needs to be asked for. */
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

/** An address says which family it is of. */
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

/** Nobody knows where such a service leads to, so that it may be both families in any cluster. */
function fillBareFamilies(spec: ServiceFamilies): void {
  const [first = 'IPv4', ...others] = spec.ipFamilies ?? []
  spec.ipFamilies = [first, ...others]
  if (others.length > 0 || spec.ipFamilyPolicy === single) return
  spec.ipFamilies.push(first === 'IPv4' ? 'IPv6' : 'IPv4')
}
