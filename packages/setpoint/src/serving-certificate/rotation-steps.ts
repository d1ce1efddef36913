import { type CertificateAndKey, CertificateAuthority } from '../certificates/index.ts'
import type { Clock, Random } from '../host/index.ts'
import { type RotationChange } from './rotation-plan.ts'
import { coversHosts, type SecretContent, type SecretFiles } from './secret-content.ts'

/** What a step needs in addition to the content of the Secret. */
interface StepContext {
  readonly host: Clock & Random
  /** The common name of the serving certificate, and the beginning of those of authorities. */
  readonly name: string
  readonly hosts: readonly string[]
  readonly caLifetimeMs: number
  readonly servingLifetimeMs: number
  /** Authorities that a new one replaces, in PEM: other replicas may still use their certificates. */
  readonly replacedCas: readonly string[]
}

/** The longest common name. */
const nameLengthMax = 64

/** The content of the Secret after a step. */
export function filesAfter(
  change: RotationChange,
  content: SecretContent | undefined,
  context: StepContext,
): SecretFiles {
  if (change === 'create' || content === undefined) return created(context)
  const { files, ca, nextCa, formerCas } = content
  const nowMs = context.host.now()
  const former = formerCas.filter(({ cert }) => Date.parse(cert.validTo) > nowMs)
  const formerPems = former.map(({ pem }) => pem)
  switch (change) {
    case 'announce': {
      const { cert, key } = newAuthority(context).credential()
      const bundle = [ca.authority.cert, cert, ...formerPems]
      return { ...files, 'ca.crt': bundle.join(''), 'next-ca.key': key }
    }
    case 'promote': {
      if (nextCa === undefined) return created(context)
      const isValid = ca.validity.untilMs > nowMs
      const bundle = [nextCa.authority.cert, ...(isValid ? [ca.authority.cert] : []), ...formerPems]
      return {
        ...servingFiles(served(nextCa.authority, context)),
        'ca.crt': bundle.join(''),
        'ca.key': files['next-ca.key'],
        'next-ca.key': '',
      }
    }
    case 'retire': {
      const bundle = [ca.authority.cert, nextCa?.authority.cert ?? '']
      return { ...files, 'ca.crt': bundle.join('') }
    }
    case 'renew': {
      const hosts = renewedHosts(content, context.hosts)
      return { ...files, ...servingFiles(served(ca.authority, { ...context, hosts })) }
    }
  }
}

function created(context: StepContext): SecretFiles {
  const authority = newAuthority(context)
  return {
    ...servingFiles(served(authority, context)),
    'ca.crt': [authority.cert, ...context.replacedCas].join(''),
    'ca.key': authority.credential().key,
    'next-ca.key': '',
  }
}

/** Every authority has its own name, so that a reader of a bundle can distinguish them. */
function newAuthority({ host, name, caLifetimeMs }: StepContext): CertificateAuthority {
  const end = ` CA ${host.uuid().slice(0, 8)}`
  const commonName = `${name.slice(0, nameLengthMax - end.length)}${end}`
  return new CertificateAuthority(host, { commonName, lifetime: caLifetimeMs })
}

function served(
  authority: CertificateAuthority,
  { name, hosts, servingLifetimeMs }: Omit<StepContext, 'host'>,
): CertificateAndKey {
  const lifetime = servingLifetimeMs
  return authority.issue(name.slice(0, nameLengthMax), { use: 'server', hosts, lifetime })
}

function servingFiles({ cert, key }: CertificateAndKey): Pick<SecretFiles, 'tls.crt' | 'tls.key'> {
  return { 'tls.crt': cert, 'tls.key': key }
}

/**
 * A certificate that lacks hosts keeps those that it has. Replicas of two versions with different
 * hosts would replace it in turn otherwise. The renewal at the end of its life removes them.
 */
function renewedHosts({ serving }: SecretContent, hosts: readonly string[]): readonly string[] {
  if (coversHosts(serving, hosts)) return hosts
  const names = serving.subjectAltName?.matchAll(/(?:DNS|IP Address):([\w.*:-]+)/g) ?? []
  return [...new Set([...hosts, ...Array.from(names, ([, name = '']) => name)])]
}
