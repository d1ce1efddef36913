import type { JsonPatchOperation } from './json-patch.ts'

/** The server sets these fields, or they identify the object: it refuses or drops a change. */
const fixed = [
  '/apiVersion',
  '/kind',
  '/metadata/name',
  '/metadata/generateName',
  '/metadata/namespace',
  '/metadata/uid',
  '/metadata/resourceVersion',
  '/metadata/generation',
  '/metadata/creationTimestamp',
  '/metadata/deletionTimestamp',
  '/metadata/deletionGracePeriodSeconds',
  '/metadata/selfLink',
  '/metadata/managedFields',
]

/** The object that a mutation changed. */
interface Mutated {
  readonly subresource: string | undefined
  readonly hasStatus: boolean
}

/**
 * The first field of a patch that a mutation must not change, as a path. The server drops changes
 * of the status in requests for the object, and all other changes in requests for its status.
 */
export function protectedField(
  operations: readonly JsonPatchOperation[],
  { subresource, hasStatus }: Mutated,
): string | undefined {
  const isProtected = (path: string): boolean =>
    path === '' ||
    path === '/metadata' ||
    fixed.some((one) => isWithin(path, one)) ||
    (subresource === undefined && hasStatus && isWithin(path, '/status')) ||
    (subresource === 'status' && !isWithin(path, '/status') && !isWithin(path, '/metadata'))
  const found = operations.find(({ path }) => isProtected(path))
  return found?.path.slice(1).replaceAll('/', '.')
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}
