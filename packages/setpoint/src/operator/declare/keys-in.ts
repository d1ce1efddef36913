import { SetpointError } from '../../errors/index.ts'

/** Which objects something concerns: one key, or several. */
export type KeysConcerned = string | Iterable<string>

/** The keys that an author's function gave; what is none would concern nobody, without a word. */
export function keysIn(given: KeysConcerned): string[] {
  const keys: readonly unknown[] = typeof given === 'string' ? [given] : [...given]
  for (const key of keys) {
    if (typeof key === 'string' && /^[^\s/]+(?:\/[^\s/]+)?$/.test(key)) continue
    throw new SetpointError('OPERATOR_INVALID', `${JSON.stringify(key)} is no key of an object`, {
      hint: 'write namespace/name, or the name alone where the kind has no namespace',
    })
  }
  return keys as string[]
}
