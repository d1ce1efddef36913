/** The label with the Jenkins of an object. */
export const jenkinsLabel = 'ci.example.com/jenkins'

/** The label with the role of a pod. */
export const roleLabel = 'ci.example.com/role'

/** The port of Jenkins in its pod. */
export const port = 8080

/** The labels of a pod with a role. */
export function labelsOf(name: string, role: 'server' | 'backup'): Record<string, string> {
  return { [jenkinsLabel]: name, [roleLabel]: role }
}

/** The names of the objects of a Jenkins. */
export function namesOf(name: string) {
  return {
    server: name,
    service: name,
    /** The headless Service of the StatefulSet. */
    pods: `${name}-pods`,
    /** The ConfigMap with the configuration, the plug-ins and the jobs. */
    files: `${name}-files`,
    admin: `${name}-admin`,
    /** The claim with the home directory of Jenkins. */
    home: `${name}-home`,
    backups: backupsOf(name),
  }
}

/** The claim with the backups. It stays when the Jenkins is removed. */
export function backupsOf(name: string): string {
  return `${name}-backups`
}
