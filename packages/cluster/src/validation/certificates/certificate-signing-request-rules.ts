import { repetition } from '../fields/repetition.ts'
import type { CertificateSigningRequest } from 'setpoint/kinds'
import { base64Text } from '../fields/base64.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created, type Updated } from '../kind-rules.ts'
import { byteLength, labelProblems, subdomainProblems } from '../fields/name-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkImmutable } from '../object-meta.ts'

type Spec = NonNullable<Created<CertificateSigningRequest>['object']['spec']>

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

const signerNameMax = 571
const subdomainMax = 253

/** Checks only the PEM encoding: the signer parses the request. */
function checkRequest({ request }: Spec, at: FieldPath): void {
  const text = base64Text(request ?? '')
  if (/-----BEGIN CERTIFICATE REQUEST-----[\s\S]+-----END CERTIFICATE REQUEST-----/.test(text))
    return
  at.invalid(request, 'PEM block type must be CERTIFICATE REQUEST')
}

function checkUsages({ usages: chosen = [] }: Spec, at: FieldPath): void {
  if (chosen.length === 0) at.required()
  for (const [index, usage] of chosen.entries()) {
    if (!usages.includes(usage)) at.index(index).notSupported(usage, usages)
  }
  const isRepeated = repetition()
  for (const [index, usage] of chosen.entries()) {
    if (isRepeated(usage)) at.index(index).duplicate(usage)
  }
}

/** Reports only the first invalid part. */
function checkDotted(
  text: string,
  problemsOf: (label: string) => readonly string[],
  at: FieldPath,
): void {
  const label = text.split('.').find((each) => problemsOf(each).length > 0)
  if (label === undefined) return
  for (const problem of problemsOf(label))
    at.invalid(text, `validating label "${label}": ${problem}`)
}

function checkSignerName(name: string, at: FieldPath): void {
  if (name === '') return at.required()
  const [domain = '', path, ...rest] = name.split('/')
  if (path === undefined || rest.length > 0) {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
    return at.invalid(name, form)
  }
  if (byteLength(domain) > subdomainMax) at.tooLong(subdomainMax)
  checkDotted(domain, labelProblems, at)
  if (!domain.includes('.')) {
    at.invalid(domain, 'should be a domain with at least two segments separated by dots')
  }
  checkDotted(path, subdomainProblems, at)
  if (byteLength(name) > signerNameMax) at.tooLong(signerNameMax)
}

function checkConditions({ object, at }: Created<CertificateSigningRequest>): void {
  const statuses = ['False', 'True', 'Unknown']
  const seen = new Set<string>()
  for (const [index, { type = '', status = '' }] of (object.status?.conditions ?? []).entries()) {
    const place = at.child('status', 'conditions').index(index)
    const isFinal = ['Approved', 'Denied', 'Failed'].includes(type)
    const supported = isFinal ? ['True'] : statuses
    if (type === '') place.child('type').required()
    if (status === '') place.child('status').required()
    else if (!supported.includes(status)) place.child('status').notSupported(status, supported)
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined
    if (opposite !== undefined && seen.has(opposite)) {
      const detail = 'Approved and Denied conditions are mutually exclusive'
      at.child('status', 'conditions').invalid(type, detail)
    }
    if (seen.has(type)) place.child('type').duplicate(type)
    seen.add(type)
  }
}

function checkCsr(created: Created<CertificateSigningRequest>, keepsCertificate = false): void {
  const { object, at } = created
  const { spec = {} } = object
  const { signerName = '', expirationSeconds: seconds } = spec
  const place = at.child('spec')
  created.checkMetadata()
  checkRequest(spec, place.child('request'))
  checkUsages(spec, place.child('usages'))
  if (signerName === 'kubernetes.io/legacy-unknown') {
    const detail = 'the legacy signerName is not allowed via this API version'
    place.child('signerName').invalid(signerName, detail)
  } else checkSignerName(signerName, place.child('signerName'))
  if (seconds !== undefined && seconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)'
    place.child('expirationSeconds').invalid(seconds, detail)
  }
  checkConditions(created)
  if (!keepsCertificate) checkCertificate(object.status?.certificate ?? '', at)
}

/** Checks only the PEM encoding, not the content of a certificate. */
function certificateProblem(certificate: string): string | undefined {
  if (certificate === '') return undefined
  const blocks = base64Text(certificate).matchAll(pemBlock)
  const types = [...blocks].map(({ groups }) => groups?.['type'] ?? '')
  const other = types.find((type) => type !== 'CERTIFICATE')
  if (other !== undefined) return `only CERTIFICATE PEM blocks are allowed, found "${other}"`
  return types.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined
}

const pemBlock = /-----BEGIN (?<type>[^\n]*)-----\n[\s\S]*?\n-----END \k<type>-----/g

function checkCertificate(certificate: string, at: FieldPath): void {
  const problem = certificateProblem(certificate)
  if (problem !== undefined)
    at.child('status', 'certificate').invalid('<certificate data>', problem)
}

function hasInvalidCertificate({ old }: Updated<CertificateSigningRequest>): boolean {
  return certificateProblem(old.status?.certificate ?? '') !== undefined
}

/** The rules of CertificateSigningRequests. */
export const certificateSigningRequestRules = checkedKind<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  kind: 'CertificateSigningRequest',
  resource: 'certificatesigningrequests',
  namespaced: false,
  nameRule: nameRules.any,
  create: checkCsr,
  update(updated) {
    checkCsr(updated, hasInvalidCertificate(updated))
    updated.checkMetadataUpdate()
  },
  subresources: {
    status(updated) {
      const { object, old, at } = updated
      const before = old.status?.certificate ?? ''
      checkCsr(updated, hasInvalidCertificate(updated))
      updated.checkMetadataUpdate()
      if (before === '') return
      checkImmutable(object.status?.certificate ?? '', before, at.child('status', 'certificate'))
    },
    approval(updated) {
      checkCsr(updated, hasInvalidCertificate(updated))
      updated.checkMetadataUpdate()
    },
  },
})
