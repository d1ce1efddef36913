import { canonicalJson } from './canonical-json.ts'

/** The letters and digits that Kubernetes uses in names, in its order. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/**
 * A short text that stands for a pod template in names and labels. It looks as in a real cluster but has other values:
 * there it is computed from the memory of a Go program.
 */
export function templateHash(template: unknown, collisionCount = 0): string {
  const suffix = collisionCount === 0 ? '' : String(collisionCount)
  return safeEncoded(String(fnv32a(`${canonicalJson(template)}${suffix}`)))
}

/** Each character replaced by one that can stand in a name and makes no words. */
export function safeEncoded(text: string): string {
  return [...text].map((one) => alphabet.charAt(one.charCodeAt(0) % alphabet.length)).join('')
}

/** The 32-bit FNV-1a hash of a text. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
