import { type DerElement, derElements } from 'setpoint/certificates'

/** The first element of a PEM text that is encoded as base64, as in API objects. */
export function elementOfPem(base64: string, label: string): DerElement | undefined {
  const text = atobOrEmpty(base64)
  const [, body = ''] = new RegExp(`-----BEGIN ${label}-----([^-]+)-----END`).exec(text) ?? []
  return derElements(Uint8Array.from(atobOrEmpty(body), (letter) => letter.charCodeAt(0)))[0]
}

function atobOrEmpty(text: string): string {
  try {
    return atob(text.replace(/\s/g, ''))
  } catch {
    return ''
  }
}
