import { type CertificateAndKey, CertificateAuthority } from 'setpoint/certificates'
import type { Clock, Random } from 'setpoint/host'

/** The certificates and keys of a cluster, which the next cluster with its state keeps. */
export interface ClusterIdentity {
  readonly authority: CertificateAndKey
  readonly frontProxy: CertificateAndKey
  /** The administrator of `kubeconfig()`, if a user has asked for it. */
  readonly admin?: CertificateAndKey | undefined
}

export interface Authorities {
  /** Signs the certificates of the server and of its clients. */
  readonly authority: CertificateAuthority
  /** Signs the certificate that the server shows to the servers of aggregated APIs. */
  readonly frontProxy: CertificateAuthority
  /** Whether they are those of the state from which the cluster starts. */
  readonly isKept: boolean
  admin?: CertificateAndKey | undefined
}

/** What was saved; an older cluster had no second authority. */
type SavedIdentity = Omit<ClusterIdentity, 'frontProxy'> & Partial<ClusterIdentity>

/** Opens the saved authorities, or makes new ones if these are not valid at this time. */
export function openAuthorities(
  host: Clock & Random,
  saved: SavedIdentity | undefined,
): Authorities {
  const authority = saved && new CertificateAuthority(host, { saved: saved.authority })
  const isKept = authority?.isValid() === true
  const kept = isKept ? saved : undefined
  return {
    authority: isKept ? authority : new CertificateAuthority(host, { commonName }),
    frontProxy: new CertificateAuthority(
      host,
      kept?.frontProxy === undefined ? { commonName: proxyName } : { saved: kept.frontProxy },
    ),
    isKept,
    admin: kept?.admin,
  }
}

const commonName = 'setpoint-cluster'
const proxyName = 'front-proxy-ca'

export function identityOf({ authority, frontProxy, admin }: Authorities): ClusterIdentity {
  return {
    authority: authority.credential(),
    frontProxy: frontProxy.credential(),
    ...(admin === undefined ? {} : { admin }),
  }
}
