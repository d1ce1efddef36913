import type { TaskContext } from 'setpoint'
import type { HelmRelease } from './helm-release.ts'
import { type ReleasePlace, type Revision } from './releases.ts'

/** The parts of the context that the work on a release needs. */
export type Context = Pick<
  TaskContext<typeof HelmRelease>,
  'client' | 'signal' | 'now' | 'workspace' | 'updateStatus' | 'recordEvent'
>

type Type = 'Ready' | 'Released' | 'TestSuccess' | 'Remediated'
type Status = NonNullable<HelmRelease['status']>

/** A condition as the operator states it. */
interface Stated {
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly observedGeneration?: number | undefined
}

/** The name and the namespace of a release. */
export function placeOf({ metadata, spec }: HelmRelease): ReleasePlace {
  const { name, namespace = '' } = metadata
  const { releaseName, targetNamespace } = spec
  const fallback = targetNamespace === undefined ? name : `${targetNamespace}-${name}`
  return { name: releaseName ?? fallback, namespace: targetNamespace ?? namespace }
}

/** The status of a HelmRelease while it is worked on. */
export class ReleaseStatus {
  readonly #release: HelmRelease
  readonly #context: Context
  readonly #conditions: Partial<Record<Type, Stated>>
  fields: Status

  constructor(release: HelmRelease, context: Context) {
    const { conditions = [], ...fields } = release.status ?? {}
    this.#release = release
    this.#context = context
    this.fields = fields
    this.#conditions = Object.fromEntries(
      conditions.map(({ type, lastTransitionTime: _, ...stated }) => [type, stated]),
    )
  }

  /** The failed attempts with this digest. */
  failures(digest: string): number {
    return this.fields.lastAttemptedDigest === digest ? (this.fields.failures ?? 0) : 0
  }

  of(type: Type): Stated | undefined {
    return this.#conditions[type]
  }

  /** States a condition; `undefined` removes it. Its message has at most 1000 characters. */
  state(type: Type, stated: Stated | undefined): void {
    if (stated === undefined) delete this.#conditions[type]
    else {
      const observedGeneration = this.#release.metadata.generation
      const message = stated.message.slice(0, 1000)
      this.#conditions[type] = { ...stated, message, observedGeneration }
    }
  }

  /** Writes the status, with the revisions of the release. */
  async save(revisions: readonly Revision[]): Promise<void> {
    const { metadata, spec } = this.#release
    const { name, namespace } = placeOf(this.#release)
    this.fields = {
      ...this.fields,
      observedGeneration: metadata.generation,
      history: revisions
        .slice(0, spec.maxHistory)
        .map(({ revision, status, digest, chart, info }) => ({
          version: revision,
          name,
          namespace,
          chartName: chart.name,
          chartVersion: chart.version,
          appVersion: chart.appVersion,
          digest,
          status,
          firstDeployed: info.first_deployed,
          lastDeployed: info.last_deployed,
        })),
    }
    await this.#context.updateStatus({ ...this.fields, conditions: { ...this.#conditions } })
  }
}
