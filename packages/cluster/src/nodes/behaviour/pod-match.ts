import type { PodView } from './pod-behaviour.ts'

/**
 * Selects the pods of a rule; all given fields must match. Names and images may end with `*`. A
 * rule with an image applies to all containers with that image, in any role. A rule without one
 * applies to the regular containers of the pod.
 */
export interface PodMatch {
  readonly name?: string
  readonly namespace?: string
  readonly image?: string
  readonly labels?: Readonly<Record<string, string>>
  /** An annotation that the pod has, or several with their values. */
  readonly annotation?: string | Readonly<Record<string, string>>
}

/** Whether a rule applies to a pod. The images of its containers are not compared here. */
export function matchesPod(match: PodMatch, { metadata }: PodView): boolean {
  const { annotations = {}, labels = {} } = metadata
  const { annotation = {} } = match
  return (
    matchesText(match.name, metadata.name) &&
    matchesText(match.namespace, metadata.namespace) &&
    hasAll(labels, match.labels) &&
    (typeof annotation === 'string'
      ? annotations[annotation] !== undefined
      : hasAll(annotations, annotation))
  )
}

/** Whether a text is equal to a pattern, or starts with the pattern's text before its `*`. */
export function matchesText(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern
}

function hasAll(
  values: Readonly<Record<string, string>>,
  required: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(required).every(([name, value]) => values[name] === value)
}
