import { counted } from '../command/index.ts'
import type { MigrationResult } from './migrate-definition.ts'
import type { Failure } from './rewrite-objects.ts'

/** What happened to one CRD. */
export type MigrationReport = { readonly name: string } & (
  | { readonly state: 'not installed' }
  | { readonly state: 'current'; readonly storage: string }
  | {
      readonly state: 'dry run'
      readonly storage: string
      readonly oldVersions: readonly string[]
      readonly objects: number
    }
  | MigrationResult
)

/** The maximum number of objects that are printed; `--json` has all. */
const failuresMax = 50

/** The lines about one CRD. */
export function migrationLines(report: MigrationReport): string[] {
  const { name } = report
  switch (report.state) {
    case 'not installed':
      return [`${name}: the CRD is not installed`]
    case 'current':
      return [`${name}: nothing to do, all objects are stored as ${report.storage}`]
    case 'dry run': {
      const from = report.oldVersions.join(' and ')
      return [
        `${name}: would rewrite ${counted(report.objects, 'object')} to ${report.storage}, and remove ${from} from status.storedVersions`,
      ]
    }
    case 'migrated': {
      const from = report.oldVersions.join(' and ')
      return [
        `${name}: rewrote ${counted(report.done, 'object')} to ${report.storage}, and removed ${from} from status.storedVersions`,
      ]
    }
    case 'interrupted':
      return [
        `${name}: interrupted after ${counted(report.done, 'object')}; run it again to continue`,
      ]
    case 'failed':
      return failureLines(name, report)
  }
}

function failureLines(name: string, { failures, oldVersions, done }: MigrationResult): string[] {
  const shown = failures.slice(0, failuresMax).map((failure) => `  ${failureText(failure)}`)
  const left = failures.length - shown.length
  return [
    `${name}: ${counted(failures.length, 'object')} could not be rewritten, ${done} could:`,
    ...shown,
    ...(left > 0 ? [`  and ${left} more, which --json lists`] : []),
    `  status.storedVersions keeps ${oldVersions.join(' and ')}; correct or delete these objects, and run setpoint migrate again`,
  ]
}

function failureText({ name, namespace, reason }: Failure): string {
  return `${namespace === undefined ? name : `${namespace}/${name}`}: ${reason}`
}

/** All reports as JSON. */
export function migrationsJson(cluster: string, reports: readonly MigrationReport[]): string {
  return JSON.stringify({ cluster, definitions: reports }, undefined, 2)
}
