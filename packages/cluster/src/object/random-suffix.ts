import type { Random } from 'setpoint/host'

/** Characters that make no words. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5

/** The end of a generated name, as Kubernetes makes it. */
export function randomSuffix(host: Random): string {
  const pick = (): string => alphabet.charAt(Math.floor(host.random() * alphabet.length))
  return Array.from({ length: suffixLength }, pick).join('')
}
