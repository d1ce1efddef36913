import type { JsonObject } from 'setpoint/schema'
import type { AdmissionAttributes } from '../admission.ts'

/** The objects of a write as webhooks and policies see them. */
export interface ReviewedWrite {
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  /** Missing in a deletion. */
  readonly object: JsonObject | undefined
  readonly old: JsonObject | undefined
  /** The namespace of the object; of a Namespace its own name. */
  readonly namespace: string
}

/** A deletion has only an old object, and some subresources have objects of their own kind. */
export function reviewedWrite(attributes: AdmissionAttributes): ReviewedWrite {
  const { operation, resource, subject, object, old } = attributes
  const isNamespace = resource.group === '' && resource.plural === 'namespaces'
  const namespace = isNamespace ? attributes.name : attributes.namespace
  if (subject !== undefined) {
    return { kind: subject.kind, object: subject.object, old: subject.old, namespace }
  }
  const { group, version, kind } = resource
  if (operation === 'DELETE') {
    return { kind: { group, version, kind }, object: undefined, old: object, namespace }
  }
  return { kind: { group, version, kind }, object, old, namespace }
}

const exemptKinds: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
])

/** No webhook or policy is called for these kinds: a broken one could not be repaired. */
export function isExempt({ resource }: AdmissionAttributes): boolean {
  return resource.group === 'admissionregistration.k8s.io' && exemptKinds.has(resource.kind)
}
