/** The label that leads from everything that belongs to a SampleDB to it. */
export const databaseLabel = 'databases.example.com/database'

/** What a pod or a Job is there for. */
export const roleLabel = 'databases.example.com/role'

/** The version that a Job upgrades to. */
export const versionLabel = 'databases.example.com/version'

/** What pods and Jobs are there for. */
export type Role = 'server' | 'initialize' | 'backup' | 'upgrade' | 'snapshot'

/** The labels of what has a role for a database. */
export function labelsOf(name: string, role: Role): Record<string, string> {
  return { [databaseLabel]: name, [roleLabel]: role }
}

/** The names of what belongs to a database. */
export function namesOf(name: string) {
  return {
    /** With the credentials. */
    secret: `${name}-credentials`,
    /** With everything else that clients need. */
    configMap: `${name}-connection`,
    /** Where clients find it. */
    service: name,
    /** What gives the pod of the StatefulSet its name. */
    podService: `${name}-pods`,
    dataClaim: `${name}-data`,
    backupClaim: backupClaimOf(name),
    statefulSet: name,
    cronJob: `${name}-backup`,
  }
}

/** The claim with the backups of a database: it outlives it, so that another one can begin with them. */
export function backupClaimOf(name: string): string {
  return `${name}-backups`
}

/** The role that is the owner of everything in the database. It is no secret, its password is. */
export const userName = 'sampledb'

/** The port that PostgreSQL has everywhere. */
export const port = 5432

/** The image of a version. */
export function imageOf(version: string): string {
  return `postgres:${version}`
}
