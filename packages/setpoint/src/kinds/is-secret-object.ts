/** Whether an object is a Secret of Kubernetes, whose data must not be shown anywhere. */
export function isSecretObject(object: {
  readonly apiVersion?: string
  readonly kind?: string
}): boolean {
  return object.apiVersion === 'v1' && object.kind === 'Secret'
}
