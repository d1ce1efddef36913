import type { CrossVersionObjectReference } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { pathSegmentProblems } from '../fields/name-rules.ts'

type Reference = Decoded<CrossVersionObjectReference>

/** Which versions a reference may have. */
export interface TargetOptions {
  readonly allowCoreGroup?: boolean
  /** The stored object already has it. */
  readonly allowAnyVersion?: boolean
}

function versionProblem(apiVersion: string, allowCoreGroup: boolean): string | undefined {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  const hasGroup = parts.length === 2 && parts[0] !== ''
  return hasGroup || allowCoreGroup ? undefined : 'apiVersion must specify API group'
}

/** Whether the apiVersion cannot be parsed. */
export function hasBadApiVersion({ apiVersion = '' }: Reference): boolean {
  return versionProblem(apiVersion, true) !== undefined
}

/** Checks a reference to an object of any kind. */
export function checkTargetReference(
  reference: Reference,
  at: FieldPath,
  { allowCoreGroup = false, allowAnyVersion = false }: TargetOptions,
): void {
  for (const field of ['kind', 'name'] as const) {
    const text = reference[field] ?? ''
    if (text === '') at.child(field).required()
    else at.child(field).invalidEach(text, pathSegmentProblems(text))
  }
  const { apiVersion = '' } = reference
  const problem = allowAnyVersion ? undefined : versionProblem(apiVersion, allowCoreGroup)
  if (problem !== undefined) at.child('apiVersion').invalid(apiVersion, problem)
}
