import type { Random } from 'setpoint/host'

/** Characters that cannot form words. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5

/** The suffix of a generated name, in the format of Kubernetes. */
export function randomSuffix(host: Random): string {
  const pick = (): string => alphabet.charAt(Math.floor(host.random() * alphabet.length))
  return Array.from({ length: suffixLength }, pick).join('')
}
