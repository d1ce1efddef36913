import { SetpointError } from '../errors/index.ts'

/** The keys to enqueue: one, or several. */
export type KeysConcerned = string | Iterable<string>

/**
 * The keys that a function of the author returned. Refuses a value that is not a key, which would
 * enqueue no object.
 */
export function keysIn(given: KeysConcerned): string[] {
  const keys: readonly unknown[] = typeof given === 'string' ? [given] : [...given]
  for (const key of keys) {
    if (typeof key === 'string' && /^[^\s/]+(?:\/[^\s/]+)?$/.test(key)) continue
    throw new SetpointError(
      'OPERATOR_INVALID',
      `${JSON.stringify(key)} is not the key of an object`,
      {
        hint: 'write namespace/name, or the name alone where the kind has no namespace',
      },
    )
  }
  return keys as string[]
}
