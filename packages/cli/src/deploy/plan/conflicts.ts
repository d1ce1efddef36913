import { isApiError } from 'setpoint/client'
import { CommandError } from '../../command/index.ts'
import type { ClusterObject } from '../../manifests/index.ts'
import { objectTitle } from '../object-title.ts'

/** A field that somebody else set to another value. */
export interface FieldConflict {
  readonly object: string
  readonly field: string
  readonly manager: string
}

/** What a refused application says about others; nothing when it was refused for another reason. */
export function conflictsOf({ kind, manifest }: ClusterObject, error: unknown): FieldConflict[] {
  if (!isApiError(error, 'API_CONFLICT')) return []
  const object = objectTitle(kind, manifest.metadata)
  return (error.status.details?.causes ?? [])
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({
      object,
      field: field.replace(/^\./, ''),
      manager: /"([^"]*)"/.exec(message)?.[1] ?? message,
    }))
}

/** Tells whose fields are in the way. */
export function conflictError(conflicts: readonly FieldConflict[]): CommandError {
  const lines = conflicts.map(
    ({ object, field, manager }) => `\n  ${object}: ${field} is set by ${manager}`,
  )
  return new CommandError(`others have set fields to other values:${lines.join('')}`, {
    hint: 'let them give the fields up, or take them over with --force-conflicts; nothing was written',
  })
}
