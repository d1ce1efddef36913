import { canonicalJson } from './canonical-json.ts'

/** The characters of Kubernetes' generated names, in the order of its Go source. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/**
 * A short hash of a pod template for names and labels. The format is that of a real cluster. The
 * value differs, because Kubernetes hashes the Go representation of the template.
 */
export function templateHash(template: unknown, collisionCount = 0): string {
  const suffix = collisionCount === 0 ? '' : String(collisionCount)
  return safeEncoded(String(fnv32a(`${canonicalJson(template)}${suffix}`)))
}

/** Replaces each character by one that is valid in a name and cannot form a word. */
export function safeEncoded(text: string): string {
  return [...text].map((one) => alphabet.charAt(one.charCodeAt(0) % alphabet.length)).join('')
}

function fnv32a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
