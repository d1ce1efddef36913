import type { Desired, Frozen } from 'setpoint'
import type { EnvVar, PodDisruptionBudget, Service, StatefulSet, Volume } from 'setpoint/kinds'
import { namesOf, poolLabel, ports, schemeOf, tenantLabel } from './names.ts'
import type { Pool, Storage } from './tenant.ts'

/** The directory with the volumes of a server: `/data/disk0`, `/data/disk1`, ... */
const dataDirectory = '/data'
/** The directory with the certificate, as MinIO names the files. */
const certificates = '/certs'
/** The user of the processes. */
const userId = 1000

/**
 * The arguments of every server: all pools, in the order in which they were added. MinIO finds the
 * other servers by their names, and expands `{0...3}`.
 */
export function serverArgs(tenant: Storage): string[] {
  const { metadata, spec } = tenant
  const names = namesOf(tenant)
  const range = (count: number): string => (count === 1 ? '0' : `{0...${count - 1}}`)
  const urls = spec.pools.map(({ name, servers, volumesPerServer }) => {
    const pods = `${names.statefulSet(name)}-${range(servers)}`
    const host = `${pods}.${names.pods}.${metadata.namespace}.svc:${ports.s3}`
    return `${schemeOf(tenant)}://${host}${dataDirectory}/disk${range(volumesPerServer)}`
  })
  const tls = spec.tls === undefined ? [] : ['--certs-dir', certificates]
  return ['server', '--console-address', `:${ports.console}`, ...tls, ...urls]
}

/** The servers of a pool. The `roll` runbook deletes pods with an old template, all together. */
export function statefulSet(tenant: Storage, pool: Pool): Desired<typeof StatefulSet> {
  const { metadata, spec } = tenant
  const names = namesOf(tenant)
  const labels = { [tenantLabel]: metadata.name, [poolLabel]: pool.name }
  const disks = Array.from({ length: pool.volumesPerServer }, (_, index) => `disk${index}`)
  const scheme = spec.tls === undefined ? 'HTTP' : 'HTTPS'
  const probe = (path: string) => ({ httpGet: { path, port: 's3', scheme } }) as const
  const server = {
    name: 'minio',
    image: spec.image,
    args: serverArgs(tenant),
    env: rootEnv(tenant),
    ports: [
      { name: 's3', containerPort: ports.s3 },
      { name: 'console', containerPort: ports.console },
    ],
    readinessProbe: probe('/minio/health/ready'),
    livenessProbe: { ...probe('/minio/health/live'), initialDelaySeconds: 60 },
    volumeMounts: [
      ...disks.map((name) => ({ name, mountPath: `${dataDirectory}/${name}` })),
      ...(spec.tls === undefined ? [] : [{ name: 'certs', mountPath: certificates }]),
    ],
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
    },
  }
  return {
    metadata: { name: names.statefulSet(pool.name), labels },
    spec: {
      serviceName: names.pods,
      replicas: pool.servers,
      // MinIO needs all servers to start, and servers with different arguments refuse each other.
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'OnDelete' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [server],
          volumes: certificateVolumes(tenant),
          automountServiceAccountToken: false,
          securityContext: { runAsUser: userId, runAsGroup: userId, fsGroup: userId },
        },
      },
      volumeClaimTemplates: disks.map((name) => ({
        metadata: { name, labels: { [tenantLabel]: metadata.name } },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: pool.storageClassName,
          resources: { requests: { storage: pool.size } },
        },
      })),
    },
  }
}

/** Whether new pods of a StatefulSet get the arguments and the image of now. */
export function isCurrent(tenant: Storage, set: Frozen<StatefulSet> | undefined): boolean {
  const { image, args = [] } = set?.spec.template.spec?.containers[0] ?? {}
  return image === tenant.spec.image && args.join(' ') === serverArgs(tenant).join(' ')
}

/** The Services: for S3 clients, for browsers, and for the servers among themselves. */
export function services(tenant: Storage): Record<string, Desired<typeof Service>> {
  const names = namesOf(tenant)
  const selector = { [tenantLabel]: tenant.metadata.name }
  const metadata = (name: string) => ({ name, labels: selector })
  const s3 = [{ name: schemeOf(tenant), port: ports.s3 }]
  return {
    s3: { metadata: metadata(names.s3), spec: { selector, ports: s3 } },
    console: {
      metadata: metadata(names.console),
      spec: { selector, ports: [{ name: schemeOf(tenant), port: ports.console }] },
    },
    // The servers find each other before they are ready.
    pods: {
      metadata: metadata(names.pods),
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector, ports: s3 },
    },
  }
}

/** Nodes are drained one server at a time, so that the data can be read and written. */
export function disruptionBudget({ metadata }: Storage): Desired<typeof PodDisruptionBudget> {
  return {
    metadata: { name: metadata.name },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: { [tenantLabel]: metadata.name } },
    },
  }
}

/** The credentials of the administrator as the variables of MinIO. */
export function rootEnv(tenant: Storage): EnvVar[] {
  const { credentials } = namesOf(tenant)
  const from = (name: string, key: string): EnvVar => ({
    name,
    valueFrom: { secretKeyRef: { name: credentials, key } },
  })
  return [from('MINIO_ROOT_USER', 'accessKey'), from('MINIO_ROOT_PASSWORD', 'secretKey')]
}

/** The certificate, with the file names of MinIO; none without TLS. MinIO notices new files. */
function certificateVolumes({ spec }: Storage): Volume[] {
  if (spec.tls === undefined) return []
  const items = [
    { key: 'tls.crt', path: 'public.crt' },
    { key: 'tls.key', path: 'private.key' },
    { key: 'ca.crt', path: 'CAs/ca.crt' },
  ]
  return [{ name: 'certs', secret: { secretName: spec.tls.secretName, items } }]
}
