import {
  checkFieldRef,
  checkResourceFieldRef,
  volumeFields,
} from '../container/check-container-env.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkFileMode, checkUnreservedLocalPath } from '../fields/path-rules.ts'
import type { Spec } from '../pod/pod-options.ts'

type Volume = NonNullable<Spec['volumes']>[number]
type KeyPath = NonNullable<NonNullable<Volume['configMap']>['items']>[number]
type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number]
type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number]

/** Checks which keys become which files. */
export function checkKeyPaths(items: readonly KeyPath[], at: FieldPath): void {
  for (const [index, item] of items.entries()) checkKeyPath(item, at.index(index))
}

function checkKeyPath({ key = '', path = '', mode }: KeyPath, at: FieldPath): void {
  if (key === '') at.child('key').required()
  if (path === '') at.child('path').required()
  checkUnreservedLocalPath(path, at.child('path'))
  checkFileMode(mode, at.child('mode'))
}

/**
 * Checks the files of a downward API volume; a real server reports all errors at the volume,
 * without an index.
 */
export function checkDownwardApiItems(items: readonly DownwardFile[], at: FieldPath): void {
  for (const { path = '', fieldRef, resourceFieldRef, mode } of items) {
    if (path === '') at.child('path').required()
    checkUnreservedLocalPath(path, at.child('path'))
    if (fieldRef !== undefined) {
      checkFieldRef(fieldRef, at.child('fieldRef'), volumeFields)
      if (resourceFieldRef !== undefined) {
        at.invalid('resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')
      }
    } else if (resourceFieldRef !== undefined) {
      checkResourceFieldRef(resourceFieldRef, at.child('resourceFieldRef'), true)
    } else at.required('one of fieldRef and resourceFieldRef is required')
    checkFileMode(mode, at.child('mode'))
  }
}

/** Checks a projected volume. */
export function checkProjectedVolume(
  { defaultMode, sources }: NonNullable<Volume['projected']>,
  at: FieldPath,
): void {
  checkFileMode(defaultMode, at.child('defaultMode'))
  const paths = new Set<string>()
  /** Two files cannot have the same path; the message shows the value of the source. */
  const claim = (path: string, shown: string) => {
    if (paths.has(path)) at.invalid(shown, 'conflicting duplicate paths')
    else paths.add(path)
  }
  for (const [index, source] of (sources ?? []).entries()) {
    checkProjection({ source, at, place: at.child('sources').index(index) }, claim)
  }
}

interface PlacedProjection {
  readonly source: Projection
  /** The volume source, where a real server reports some errors of its parts. */
  readonly at: FieldPath
  readonly place: FieldPath
}

function checkProjection(
  { source, at, place }: PlacedProjection,
  claim: (path: string, shown: string) => void,
): void {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source
  for (const [field, keys] of [
    ['secret', secret],
    ['configMap', configMap],
  ] as const) {
    if (keys === undefined) continue
    const { name = '', items = [] } = keys
    if (name === '') place.child(field, 'name').required()
    for (const [index, item] of items.entries()) {
      checkKeyPath(item, place.child(field, 'items').index(index))
      if ((item.path ?? '') !== '') claim(item.path ?? '', name)
    }
  }
  for (const file of downwardAPI?.items ?? []) {
    checkDownwardApiItems([file], place.child('downwardAPI'))
    if ((file.path ?? '') !== '') claim(file.path ?? '', file.path ?? '')
  }
  if (serviceAccountToken !== undefined) {
    checkToken(serviceAccountToken, at, place.child('serviceAccountToken'))
  }
  const parts = [secret, configMap, downwardAPI, serviceAccountToken]
  if (parts.filter((value) => value !== undefined).length > 1) {
    place.forbidden('may not specify more than 1 volume type per source')
  }
}

function checkToken(
  token: NonNullable<Projection['serviceAccountToken']>,
  at: FieldPath,
  place: FieldPath,
): void {
  const { expirationSeconds: seconds, path = '' } = token
  const expiration = place.child('expirationSeconds')
  if (seconds === undefined) expiration.required()
  else if (seconds < 600) {
    expiration.invalid(seconds, 'may not specify a duration less than 10 minutes')
  } else if (seconds > 2 ** 32) {
    expiration.invalid(seconds, 'may not specify a duration larger than 2^32 seconds')
  }
  if (path === '') at.child('path').required()
  else checkUnreservedLocalPath(path, at.child('path'))
}
