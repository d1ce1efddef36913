import { badRequest } from '../../status/index.ts'

/** The parts of a pod that decide which container a request means. */
export interface PodContainers {
  readonly spec: {
    readonly nodeName?: string
    readonly containers: readonly { readonly name: string }[]
    readonly initContainers?: readonly { readonly name: string }[]
    readonly ephemeralContainers?: readonly { readonly name: string }[]
  }
}

/** The container of a request: the named one, or the only one. */
export function containerNamed({ spec }: PodContainers, pod: string, requested: string): string {
  const names = (list: readonly { readonly name: string }[] = []): string[] =>
    list.map(({ name }) => name)
  const [regular, inits, others] = [
    names(spec.containers),
    names(spec.initContainers),
    names(spec.ephemeralContainers),
  ]
  if (requested !== '') {
    if ([...regular, ...inits, ...others].includes(requested)) return requested
    throw badRequest(`container ${requested} is not valid for pod ${pod}`)
  }
  const [only] = regular
  if (only !== undefined && regular.length === 1) return only
  const choice = [
    `choose one of: [${regular.join(' ')}]`,
    ...(inits.length === 0 ? [] : [`or one of the init containers: [${inits.join(' ')}]`]),
    ...(others.length === 0 ? [] : [`or one of the ephemeral containers: [${others.join(' ')}]`]),
  ]
  throw badRequest(`a container name must be specified for pod ${pod}, ${choice.join(' ')}`)
}
