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

/** The containers of a pod, by what they are for. */
export type ContainerRole = 'init' | 'sidecar' | 'regular' | 'ephemeral'

/** How the containers of a pod behave. */
export type BehaviourOf = (
  container: { readonly name: string; readonly image?: string | undefined },
  role: ContainerRole,
) => ResolvedBehaviour

/**
 * The rules of a cluster about what its pods do. Later rules win over earlier ones, field by field, and what a pod says
 * itself wins over all. A change is a fact at once, also for pods that run already.
 */
export class PodBehaviours {
  readonly #rules = new Set<Rule>()
  readonly #listeners: (() => void)[] = []

  /**
   * Lets pods behave in a certain way from now on: those with an image (`behave('nginx:*', { readyAfter: '5s' })`), or
   * any that match. Disposing what it returns takes the rule back.
   */
  behave(match: string | PodMatch, behaviour: PodBehaviour): Disposable {
    const rule = {
      match: typeof match === 'string' ? { image: match } : match,
      behaviour: resolvedPodBehaviour(behaviour),
    }
    this.#rules.add(rule)
    this.#tell()
    return {
      [Symbol.dispose]: () => {
        if (this.#rules.delete(rule)) this.#tell()
      },
    }
  }

  /** Takes all rules back. */
  clear(): void {
    this.#rules.clear()
    this.#tell()
  }

  /** How the containers of a pod behave now. */
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

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** What a pod says of itself. What cannot be read is told where people look: at its containers. */
function ownBehaviour({ metadata }: PodView): ResolvedPodBehaviour | undefined {
  const text = metadata.annotations?.[behaviourAnnotation]
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return resolvedPodBehaviour(value)
    return { createError: `the annotation ${behaviourAnnotation} has to be a JSON object` }
  } catch (error) {
    return { createError: `the annotation ${behaviourAnnotation} is invalid: ${messageOf(error)}` }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
