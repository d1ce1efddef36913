/** The label with the SampleDB of an object. */
export const databaseLabel = 'databases.example.com/database'

/** The label with the role of a pod or a Job. */
export const roleLabel = 'databases.example.com/role'

/** The label with the version to which a Job upgrades. */
export const versionLabel = 'databases.example.com/version'

/** The roles of pods and Jobs. */
export type Role = 'server' | 'initialize' | 'backup' | 'upgrade' | 'snapshot'

/** The labels of an object with a role for a database. */
export function labelsOf(name: string, role: Role): Record<string, string> {
  return { [databaseLabel]: name, [roleLabel]: role }
}

/** The names of the objects of a database. */
export function namesOf(name: string) {
  return {
    /** The Secret with the credentials. */
    secret: `${name}-credentials`,
    /** The Secret for applications that are bound to the database. */
    binding: `${name}-binding`,
    /** The ConfigMap with the connection details. */
    configMap: `${name}-connection`,
    /** The Service for clients. */
    service: name,
    /** The headless Service of the StatefulSet. */
    podService: `${name}-pods`,
    dataClaim: `${name}-data`,
    backupClaim: backupClaimOf(name),
    statefulSet: name,
    cronJob: `${name}-backup`,
  }
}

/**
 * The claim with the backups. It is not deleted with the database, so that another database can
 * restore them.
 */
export function backupClaimOf(name: string): string {
  return `${name}-backups`
}

/** The PostgreSQL role that owns the database; only its password is secret. */
export const userName = 'sampledb'

/** The default port of PostgreSQL. */
export const port = 5432

/** The image of a version. */
export function imageOf(version: string): string {
  return `postgres:${version}`
}
