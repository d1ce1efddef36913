import type { Desired } from 'setpoint'
import type { Container, PersistentVolumeClaim, Service, StatefulSet, Volume } from 'setpoint/kinds'
import { secretFiles } from './configuration.ts'
import type { Project } from './jenkins.ts'
import { backupsOf, jenkinsLabel, labelsOf, namesOf, port } from './names.ts'
import { backUpJobs, writeJobs } from './scripts.ts'

/** The mount paths of the volumes. The keys are also names of environment variables. */
const mountPaths = {
  JENKINS_HOME: '/var/jenkins_home',
  PLUGINS: '/var/jenkins_home/plugins',
  FILES: '/etc/jenkins',
  SECRETS: '/run/secrets/jenkins',
  BACKUPS: '/backups',
  SOURCE: '/restored',
} as const

type Mount = keyof typeof mountPaths

/** The user of the official image. */
const userId = 1000

/** The volume with the home directory: jobs, builds, and the keys of Jenkins. */
export function homeClaim(jenkins: Project): Desired<typeof PersistentVolumeClaim> {
  return claim(jenkins, 'home', jenkins.spec.storage.size)
}

/** The volume with the backup, which stays. */
export function backupClaim(jenkins: Project): Desired<typeof PersistentVolumeClaim> {
  return claim(jenkins, 'backups', jenkins.spec.backup.size)
}

function claim(
  { metadata: { name }, spec: { storage } }: Project,
  role: 'home' | 'backups',
  size: string | number,
): Desired<typeof PersistentVolumeClaim> {
  return {
    metadata: { name: namesOf(name)[role], labels: { [jenkinsLabel]: name } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: storage.storageClassName,
      resources: { requests: { storage: size } },
    },
  }
}

/** The Service for browsers and API clients. */
export function service({ metadata: { name } }: Project): Desired<typeof Service> {
  return {
    metadata: { name: namesOf(name).service, labels: { [jenkinsLabel]: name } },
    spec: {
      selector: labelsOf(name, 'server'),
      ports: [{ name: 'http', port }],
    },
  }
}

/** The headless Service of the StatefulSet. */
export function podService({ metadata: { name } }: Project): Desired<typeof Service> {
  return {
    metadata: { name: namesOf(name).pods, labels: { [jenkinsLabel]: name } },
    spec: {
      clusterIP: 'None',
      selector: labelsOf(name, 'server'),
      ports: [{ name: 'http', port }],
    },
  }
}

/** One pod with Jenkins. Init containers install the plug-ins and write the jobs. */
export function server(
  jenkins: Project,
  annotations: Readonly<Record<string, string>>,
): Desired<typeof StatefulSet> {
  const { name } = jenkins.metadata
  const labels = labelsOf(name, 'server')
  return {
    metadata: { name: namesOf(name).server, labels: { [jenkinsLabel]: name } },
    spec: {
      serviceName: namesOf(name).pods,
      replicas: 1,
      selector: { matchLabels: labels },
      // A change of the files restarts Jenkins, which then reads them.
      template: {
        metadata: { labels, annotations },
        spec: {
          ...podSpec(jenkins, ['JENKINS_HOME', 'PLUGINS', 'FILES', 'SECRETS', 'SOURCE']),
          initContainers: [installPlugins(jenkins), installJobs(jenkins)],
          containers: [main(jenkins)],
          // Jenkins waits for the end of what it writes.
          terminationGracePeriodSeconds: 60,
        },
      },
    },
  }
}

function main(jenkins: Project): Container {
  const isUp = { httpGet: { path: '/login', port: 'http' } }
  return {
    ...container(jenkins, 'jenkins', ['JENKINS_HOME', 'PLUGINS', 'FILES', 'SECRETS']),
    env: [
      ...directories(['JENKINS_HOME', 'SECRETS']),
      { name: 'CASC_JENKINS_CONFIG', value: `${mountPaths.FILES}/jenkins.yaml` },
      { name: 'JAVA_OPTS', value: '-Djenkins.install.runSetupWizard=false' },
    ],
    ports: [{ name: 'http', containerPort: port }],
    // The first start takes minutes on a slow node.
    startupProbe: { ...isUp, periodSeconds: 2, failureThreshold: 450 },
    readinessProbe: { ...isUp, periodSeconds: 5 },
    livenessProbe: { ...isUp, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
  }
}

/** The arguments run a program of the image: its entrypoint starts Jenkins without them. */
function installPlugins(jenkins: Project): Container {
  const [list, directory] = [`${mountPaths.FILES}/plugins.txt`, mountPaths.PLUGINS]
  return {
    ...container(jenkins, 'plugins', ['PLUGINS', 'FILES']),
    args: ['jenkins-plugin-cli', '--plugin-file', list, '--plugin-download-directory', directory],
  }
}

function installJobs(jenkins: Project): Container {
  const { seed, restoreFrom } = jenkins.spec
  const mounts: Mount[] = ['JENKINS_HOME', 'FILES']
  if (restoreFrom !== undefined) mounts.push('SOURCE')
  const secret = (variable: string, key: string) =>
    seed?.secretName === undefined
      ? []
      : [{ name: variable, valueFrom: { secretKeyRef: { name: seed.secretName, key } } }]
  return {
    ...container(jenkins, 'jobs', mounts),
    command: ['sh', '-c', writeJobs],
    env: [
      ...directories(mounts),
      ...(seed === undefined
        ? []
        : [
            { name: 'SEED_URL', value: seed.url },
            { name: 'SEED_REVISION', value: seed.revision },
            { name: 'SEED_PATH', value: seed.path },
          ]),
      ...secret('GIT_USERNAME', 'username'),
      ...secret('GIT_PASSWORD', 'password'),
    ],
  }
}

/** The pod that makes a backup, while Jenkins is stopped. */
export function backupPod(jenkins: Project, backup: string) {
  const mounts: Mount[] = ['JENKINS_HOME', 'BACKUPS']
  const pod = podSpec(jenkins, mounts)
  const made = {
    ...container(jenkins, 'backup', mounts),
    command: ['sh', '-c', backUpJobs],
    env: [...directories(mounts), { name: 'BACKUP', value: backup }],
  }
  return { ...pod, restartPolicy: 'Never' as const, containers: [made] }
}

function directories(mounts: readonly Mount[]) {
  return mounts.map((name) => ({ name, value: mountPaths[name] }))
}

function container({ spec }: Project, name: string, mounts: readonly Mount[]): Container {
  return {
    name,
    image: `jenkins/jenkins:${spec.version}-lts`,
    volumeMounts: mounts.map((mount) => ({
      name: volumeName(mount),
      mountPath: mountPaths[mount],
      ...(mount === 'SOURCE' ? { readOnly: true } : {}),
    })),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  }
}

function podSpec(jenkins: Project, mounts: readonly Mount[]) {
  const { metadata, spec } = jenkins
  const names = namesOf(metadata.name)
  const source = spec.restoreFrom
  const volumes: Record<Mount, Volume | undefined> = {
    JENKINS_HOME: claimed('JENKINS_HOME', names.home),
    // Empty at every start, so that a plug-in that is no longer in the list is gone.
    PLUGINS: { name: volumeName('PLUGINS'), emptyDir: {} },
    FILES: { name: volumeName('FILES'), configMap: { name: names.files } },
    SECRETS: { name: volumeName('SECRETS'), projected: { sources: secretFiles(jenkins) } },
    BACKUPS: claimed('BACKUPS', names.backups),
    SOURCE: source === undefined ? undefined : claimed('SOURCE', backupsOf(source)),
  }
  return {
    volumes: mounts.flatMap((mount) => volumes[mount] ?? []),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: userId,
      runAsGroup: userId,
      fsGroup: userId,
    },
  }
}

function claimed(mount: Mount, claimName: string): Volume {
  return { name: volumeName(mount), persistentVolumeClaim: { claimName } }
}

function volumeName(mount: Mount): string {
  return mount.toLowerCase().replaceAll('_', '-')
}
