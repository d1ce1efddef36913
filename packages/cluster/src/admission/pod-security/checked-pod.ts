import type { Container, Pod } from 'setpoint/kinds'

/** A pod or pod template, as the Pod Security Standards check it. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>
  readonly spec: Partial<Pod['spec']>
}

/** A violation: a short reason, and details with names. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

/** Every container of a pod, init containers first. */
export function containersOf({ spec }: CheckedPod): readonly Partial<Container>[] {
  return [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ]
}

/** The names of the containers that satisfy a predicate. */
export function namesWhere(
  pod: CheckedPod,
  test: (container: Partial<Container>) => boolean,
): string[] {
  return containersOf(pod)
    .filter(test)
    .map(({ name = '' }) => name)
}

/** `container "a"` or `containers "a", "b"`. */
export function counted(what: string, names: readonly string[]): string {
  return `${what}${names.length === 1 ? '' : 's'} ${quoted(names)}`
}

/** The pod, some of its containers, or both, as the subject of a message. */
export function setters(isPodBad: boolean, containers: readonly string[]): string {
  const parts = isPodBad ? ['pod'] : []
  if (containers.length > 0) parts.push(counted('container', containers))
  return parts.join(' and ')
}

/** Quoted texts separated by commas; quotes inside are not escaped. */
export function quoted(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `"${texts.join('", "')}"`
}

/** Each text once, sorted. */
export function distinct(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort()
}
