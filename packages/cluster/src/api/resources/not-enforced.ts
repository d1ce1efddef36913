import type { JsonObject } from 'setpoint/schema'

/** Kinds whose objects are stored here but change nothing yet. */
const idleKinds: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
])

/** Says so where this server takes something that a real one would act on. */
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
