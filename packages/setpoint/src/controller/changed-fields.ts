import { hasFields } from '../schema/json-value.ts'

/** A longer list would not be read in logs. */
export const fieldsMax = 20

/** Fields that every write changes. */
const alwaysDifferent: ReadonlySet<string> = new Set(['metadata.resourceVersion'])

/**
 * The paths at which two objects differ, as deep as both have objects; lists are compared as a
 * whole.
 */
export function changedFields(before: unknown, after: unknown): string[] {
  const fields: string[] = []
  const visit = (path: string, left: unknown, right: unknown): void => {
    if (left === right || alwaysDifferent.has(path) || fields.length >= fieldsMax) return
    if (hasFields(left) && hasFields(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
        visit(path === '' ? key : `${path}.${key}`, left[key], right[key])
      }
    } else if (!isSame(left, right)) fields.push(path)
  }
  visit('', before, after)
  return fields
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
