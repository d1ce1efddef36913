import type { JsonObject } from 'setpoint/schema'

/** Kinds whose objects are stored but have no effect yet. */
const idleKinds: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
])

/** A warning where this server stores a field or kind that only a real one acts on. */
export function notEnforced(
  { group, kind }: { readonly group: string; readonly kind: string },
  object: JsonObject,
): string[] {
  if (group === 'admissionregistration.k8s.io' && idleKinds.has(kind)) {
    return [`setpoint: a ${kind} is stored, but the embedded cluster does not enforce it yet`]
  }
  if (kind !== 'CustomResourceDefinition') return []
  const spec = JSON.stringify(object['spec'])
  if (!spec.includes('"x-kubernetes-validations":')) return []
  return [
    'setpoint: x-kubernetes-validations are stored, but the embedded cluster does not enforce them yet',
  ]
}
