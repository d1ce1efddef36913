/** One element of DER: its tag and where its content is. */
interface Element {
  readonly tag: number
  readonly content: Uint8Array
}

const oid = 6
const organization = '85,4,10'

/**
 * The organizations in the subject of a certificate request (base64 of PEM, as in a
 * CertificateSigningRequest). None when it cannot be read: validation has looked at it before.
 */
export function organizationsOf(request: string): string[] {
  const pem = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END/.exec(atobOrNothing(request))
  const der = Uint8Array.from(atobOrNothing(pem?.[1] ?? ''), (letter) => letter.charCodeAt(0))
  const [whole] = elementsOf(der)
  const [info] = elementsOf(whole?.content)
  const [, subject] = elementsOf(info?.content)
  return elementsOf(subject?.content)
    .flatMap((set) => elementsOf(set.content))
    .flatMap((pair) => {
      const [type, value] = elementsOf(pair.content)
      const isOrganization = type?.tag === oid && type.content.join() === organization
      return isOrganization && value !== undefined ? [new TextDecoder().decode(value.content)] : []
    })
}

function atobOrNothing(text: string): string {
  try {
    return atob(text.replace(/\s/g, ''))
  } catch {
    return ''
  }
}

function elementsOf(bytes: Uint8Array = new Uint8Array()): Element[] {
  const elements: Element[] = []
  let at = 0
  while (at + 1 < bytes.length) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    const digits = first < 128 ? 0 : first - 128
    const long = bytes.subarray(at + 2, at + 2 + digits)
    const length = first < 128 ? first : long.reduce((sum, byte) => sum * 256 + byte, 0)
    const start = at + 2 + digits
    elements.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return elements
}
