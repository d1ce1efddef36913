import { behaviourAnnotation, type PodBehaviour, type PodView } from './pod-behaviour.ts'
import {
  type ResolvedBehaviour,
  type ResolvedPodBehaviour,
  resolvedPodBehaviour,
} from './resolved-behaviour.ts'
import { matchesPod, matchesText, type PodMatch } from './pod-match.ts'

interface Rule {
  readonly match: PodMatch
  readonly behaviour: ResolvedPodBehaviour
}

/** The role of a container in its pod. */
export type ContainerRole = 'init' | 'sidecar' | 'regular' | 'ephemeral'

export type BehaviourOf = (
  container: { readonly name: string; readonly image?: string | undefined },
  role: ContainerRole,
) => ResolvedBehaviour

/**
 * The rules for the behaviour of pods. Later rules override earlier ones field by field, and the
 * annotation of a pod overrides all. A change takes effect immediately, even for running pods.
 */
export class PodBehaviours {
  readonly #rules = new Set<Rule>()
  readonly #listeners: (() => void)[] = []

  /**
   * Sets the behaviour of pods from now on: of those with an image (`behave('nginx:*', {
   * readyAfter: '5s' })`), or of any that match. Disposing the returned value removes the rule.
   */
  behave(match: string | PodMatch, behaviour: PodBehaviour): Disposable {
    const rule = {
      match: typeof match === 'string' ? { image: match } : match,
      behaviour: resolvedPodBehaviour(behaviour),
    }
    this.#rules.add(rule)
    this.#report()
    return {
      [Symbol.dispose]: () => {
        if (this.#rules.delete(rule)) this.#report()
      },
    }
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules.clear()
    this.#report()
  }

  /** The current behaviour of the containers of a pod. */
  of(pod: PodView): BehaviourOf {
    const rules = [...this.#rules].filter(({ match }) => matchesPod(match, pod))
    const own = ownBehaviour(pod)
    if (own !== undefined) rules.push({ match: {}, behaviour: own })
    return ({ name, image = '' }, role) => {
      const about = rules.filter(({ match }) => matchesText(match.image, image))
      const shared = about.filter(({ match }) => role === 'regular' || match.image !== undefined)
      return Object.assign(
        {},
        ...shared.map(({ behaviour: { containers: _single, ...all } }) => all),
        ...about.map(({ behaviour }) => behaviour.containers?.[name]),
      ) as ResolvedBehaviour
    }
  }

  /** Calls a function whenever the rules change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  #report(): void {
    for (const listener of this.#listeners) listener()
  }
}

/**
 * The behaviour in the annotation of a pod. An invalid one is reported in the status of its
 * containers.
 */
function ownBehaviour({ metadata }: PodView): ResolvedPodBehaviour | undefined {
  const text = metadata.annotations?.[behaviourAnnotation]
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return resolvedPodBehaviour(value)
    return { createError: `the annotation ${behaviourAnnotation} must be a JSON object` }
  } catch (error) {
    return {
      createError: `the annotation ${behaviourAnnotation} is invalid: ${messageOf(error)}`,
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
