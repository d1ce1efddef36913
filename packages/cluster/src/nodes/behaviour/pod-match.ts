import type { PodView } from './pod-behaviour.ts'

/**
 * Which pods a rule is about; everything that is given must hold. Names and images may end with `*`. A rule with an image
 * is about the containers that have it, in whatever role; one without is about the regular containers of the pod.
 */
export interface PodMatch {
  readonly name?: string
  readonly namespace?: string
  readonly image?: string
  readonly labels?: Readonly<Record<string, string>>
  /** An annotation the pod has, or several with their values. */
  readonly annotation?: string | Readonly<Record<string, string>>
}

/** Whether a rule is about a pod, apart from the images of its containers. */
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

/** Whether a text is the wanted one, or begins as it does before its `*`. */
export function matchesText(wanted: string | undefined, text: string): boolean {
  if (wanted === undefined) return true
  return wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted
}

function hasAll(
  values: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(wanted).every(([name, value]) => values[name] === value)
}
