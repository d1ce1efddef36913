/** Whether a text can be the name of a namespace: a DNS label. */
export function isNamespaceName(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)
}
