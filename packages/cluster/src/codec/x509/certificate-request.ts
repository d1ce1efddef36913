import { type DerElement, derElements } from 'setpoint/certificates'
import { elementOfPem } from './element-of-pem.ts'

/** The fields of a certificate request (PKCS #10) that signers use. */
export interface CertificateRequest {
  readonly commonName: string
  readonly organizations: readonly string[]
  /** The subject alternative names, each as the bytes that a certificate has for it. */
  readonly names: Readonly<Record<'dns' | 'email' | 'ip' | 'uri', readonly Uint8Array[]>>
  /** The subject and the public key, as a certificate encodes them. */
  readonly subject: Uint8Array
  readonly publicKey: Uint8Array
  /** The signed part, the algorithm (its identifier as bytes with commas), and the signature. */
  readonly body: Uint8Array
  readonly algorithm: string
  readonly signature: Uint8Array
}

const commonName = '85,4,3'
const organization = '85,4,10'
const alternativeNames = '85,29,17'
const extensionRequest = '42,134,72,134,247,13,1,9,14'
/** Tags of the types of alternative names. */
const nameTags = { dns: 0x82, email: 0x81, ip: 0x87, uri: 0x86 }

/**
 * Parses the request (base64 of PEM) of a CertificateSigningRequest; `undefined` if it is invalid.
 */
export function readCertificateRequest(request: string): CertificateRequest | undefined {
  const [body, algorithm, signature] = partsOf(elementOfPem(request, 'CERTIFICATE REQUEST'))
  const [, subject, publicKey, attributes] = partsOf(body)
  if (subject === undefined || publicKey === undefined || body === undefined) return undefined
  const named = partsOf(namesIn(attributes))
  const ofTag = (tag: number): Uint8Array[] =>
    named.filter((name) => name.tag === tag).map(({ content }) => content)
  return {
    commonName: textsOf(subject, commonName).at(-1) ?? '',
    organizations: textsOf(subject, organization),
    names: {
      dns: ofTag(nameTags.dns),
      email: ofTag(nameTags.email),
      ip: ofTag(nameTags.ip),
      uri: ofTag(nameTags.uri),
    },
    subject: subject.whole,
    publicKey: publicKey.whole,
    body: body.whole,
    algorithm: partsOf(algorithm)[0]?.content.join() ?? '',
    signature: signature?.content.subarray(1) ?? new Uint8Array(),
  }
}

function partsOf(element: DerElement | undefined): DerElement[] {
  return derElements(element?.content)
}

/** The values of an attribute of a subject. */
function textsOf(subject: DerElement, id: string): string[] {
  return partsOf(subject)
    .flatMap(partsOf)
    .flatMap((pair) => {
      const [type, value] = partsOf(pair)
      const isIt = type?.content.join() === id && value !== undefined
      return isIt ? [new TextDecoder().decode(value.content)] : []
    })
}

/** The alternative names among the requested extensions. */
function namesIn(attributes: DerElement | undefined): DerElement | undefined {
  const extensions = partsOf(attributes)
    .map(partsOf)
    .filter(([id]) => id?.content.join() === extensionRequest)
    .flatMap(([, values]) => partsOf(values))
    .flatMap(partsOf)
    .map(partsOf)
  const found = extensions.find(([id]) => id?.content.join() === alternativeNames)
  return partsOf(found?.at(-1))[0]
}
