import type { Storage } from './tenant.ts'

/** The label with the Tenant of an object. */
export const tenantLabel = 'storage.example.com/tenant'

/** The label with the pool of a pod. */
export const poolLabel = 'storage.example.com/pool'

/** The ports of MinIO. */
export const ports = { s3: 9000, console: 9001 } as const

/** The names of the objects of a tenant. */
export function namesOf({ metadata: { name }, spec }: Storage) {
  return {
    /** The Service of the S3 API. */
    s3: name,
    console: `${name}-console`,
    /** The headless Service, which gives each pod a name. */
    pods: `${name}-pods`,
    /** The Secret of the administrator. */
    credentials: spec.credentials?.secretName ?? `${name}-root`,
    statefulSet: (pool: string) => `${name}-${pool}`,
    /** The Secret of a user. */
    user: (user: Storage['spec']['users'][number]) =>
      user.secretName ?? `${name}-user-${user.name}`,
  }
}

/** The DNS name of the S3 API. */
export function hostOf({ metadata: { name, namespace } }: Storage): string {
  return `${name}.${namespace}.svc`
}

/** How clients connect. */
export function schemeOf({ spec }: Storage): 'http' | 'https' {
  return spec.tls === undefined ? 'http' : 'https'
}
