import { type AdmissionContext, type Problem, problem } from 'setpoint'
import type { Database } from './sample-db.ts'
import { compareVersions } from './upgrade.ts'

/**
 * Refuses a version that is older than the data. Other changes of a database whose version is too
 * old are allowed: it must be possible to repair and to delete it. After a failed upgrade, the data
 * still has the old version, and the user may return to it.
 */
export function problemsOf(
  { spec, status }: Database,
  { old }: Pick<AdmissionContext<Database>, 'old'>,
): Problem<'spec.version'>[] {
  const dataVersion = status?.version
  if (dataVersion === undefined || old?.spec.version === spec.version) return []
  if (compareVersions(spec.version, dataVersion) >= 0) return []
  return [problem('spec.version', `the data is at version ${dataVersion}, and cannot go back`)]
}
