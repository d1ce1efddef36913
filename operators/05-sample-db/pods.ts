import type { Desired } from 'setpoint'
import type { Container, EnvVar, Pod } from 'setpoint/kinds'
import { backupClaimOf, imageOf, namesOf } from './names.ts'

/** A script in the image of a version. */
interface ScriptContainer {
  readonly name: string
  /** The version of the image. */
  readonly version: string
  readonly script: string
  readonly env: readonly EnvVar[]
  /** The volumes that the container mounts. */
  readonly mounts: readonly Mount[]
}

/** Volumes of our pods. */
type Mount = keyof typeof mountPaths

/** The mount paths of the volumes. The keys are also names of environment variables. */
const mountPaths = {
  DATA: '/var/lib/sampledb/data',
  BACKUPS: '/var/lib/sampledb/backups',
  SOURCE: '/var/lib/sampledb/source',
  RUN: '/run/sampledb',
} as const

/** The user of the official image: PostgreSQL refuses to run as root. */
const postgresId = 999

/** A container that runs a script, as an argument of the image's entrypoint. */
export function scriptContainer({
  name,
  version,
  script,
  env,
  mounts,
}: ScriptContainer): Container {
  const paths = mounts.map((mount) => ({ name: mount, value: mountPaths[mount] }))
  return {
    name,
    image: imageOf(version),
    args: ['sh', '-c', script],
    env: [...paths, ...env],
    volumeMounts: mounts.map((mount) => ({
      name: mount.toLowerCase(),
      mountPath: mountPaths[mount],
      ...(mount === 'SOURCE' ? { readOnly: true } : {}),
    })),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
    },
  }
}

type DesiredPodSpec = NonNullable<Desired<typeof Pod>['spec']>
type DesiredContainer = NonNullable<DesiredPodSpec['containers']>[number]

interface PodOptions {
  readonly initContainers?: readonly Container[]
  /** The database whose backup is restored. */
  readonly source?: string | undefined
}

/** A pod with these containers and the volumes that they mount. */
export function podSpec<Containers extends readonly DesiredContainer[]>(
  database: string,
  containers: Containers,
  { initContainers = [], source }: PodOptions = {},
) {
  const names = namesOf(database)
  const used = new Set(
    [...initContainers, ...containers].flatMap(({ volumeMounts = [] }) =>
      volumeMounts.map(({ name }) => name),
    ),
  )
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: names.dataClaim } },
    { name: 'backups', persistentVolumeClaim: { claimName: names.backupClaim } },
    { name: 'source', persistentVolumeClaim: { claimName: backupClaimOf(source ?? database) } },
    { name: 'run', emptyDir: {} },
  ]
  return {
    ...(initContainers.length === 0 ? {} : { initContainers: [...initContainers] }),
    containers,
    volumes: volumes.filter(({ name }) => used.has(name)),
    automountServiceAccountToken: false,
    securityContext: { runAsUser: postgresId, runAsGroup: postgresId, fsGroup: postgresId },
  }
}
