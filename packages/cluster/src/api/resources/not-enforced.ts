/** Kinds whose objects are stored but have no effect yet. */
const idleKinds: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
])

/** A warning where this server stores a field or kind that only a real one acts on. */
export function notEnforced({
  group,
  kind,
}: {
  readonly group: string
  readonly kind: string
}): string[] {
  if (group === 'admissionregistration.k8s.io' && idleKinds.has(kind)) {
    return [`setpoint: a ${kind} is stored, but the embedded cluster does not enforce it yet`]
  }
  return []
}
