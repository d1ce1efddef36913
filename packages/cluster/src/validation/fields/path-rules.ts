import type { FieldPath } from '../go/field-path.ts'

/** Reports `..` as a segment of a path. */
export function checkNoBacksteps(path: string, at: FieldPath): void {
  if (hasBacksteps(path)) at.invalid(path, "must not contain '..'")
}

/** Whether `..` is a segment of the path. */
export function hasBacksteps(path: string): boolean {
  return path.includes('..') && path.split('/').includes('..')
}

/** Reports paths that leave the directory they are relative to. */
export function checkLocalPath(path: string, at: FieldPath): void {
  if (path.startsWith('/')) at.invalid(path, 'must be a relative path')
  checkNoBacksteps(path, at)
}

/** Also reports names that the kubelet reserves in volumes. */
export function checkUnreservedLocalPath(path: string, at: FieldPath): void {
  checkLocalPath(path, at)
  if (path.startsWith('..') && !path.startsWith('../../')) {
    at.invalid(path, "must not start with '..'")
  }
}

const fileModeMax = 0o777

/** Reports a mode with bits that files in volumes cannot have. */
export function checkFileMode(mode: number | undefined, at: FieldPath): void {
  if (mode === undefined || (mode >= 0 && mode <= fileModeMax)) return
  at.invalid(mode, 'must be a number between 0 and 0777 (octal), both inclusive')
}
