import type { TaskContext } from 'setpoint'
import type { Attempt } from './decide.ts'
import type { HelmRelease } from './helm-release.ts'
import type { ReleasePlace, Revision } from './releases.ts'

/** Another value of this annotation counts the failures from zero again. */
export const resetAnnotation = 'helm.example.com/resetAt'

/** The parts of the context that the work on a release needs. */
export type Context = Pick<
  TaskContext<typeof HelmRelease>,
  'client' | 'signal' | 'now' | 'workspace' | 'updateStatus' | 'recordEvent'
>

type Type = 'Ready' | 'Released' | 'TestSuccess' | 'Remediated' | 'Drifted'
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
  readonly #conditions: { [T in Type]?: Stated | undefined }
  #fields: Omit<Status, 'conditions'>

  constructor(release: HelmRelease, context: Context) {
    const { conditions = [], ...fields } = release.status ?? {}
    this.#release = release
    this.#context = context
    this.#fields = fields
    this.#conditions = Object.fromEntries(
      conditions.map(({ type, lastTransitionTime: _, ...stated }) => [type, stated]),
    )
    const lastHandledResetAt = release.metadata.annotations?.[resetAnnotation]
    if (lastHandledResetAt !== fields.lastHandledResetAt) {
      this.#fields = { ...fields, lastHandledResetAt, installFailures: 0, upgradeFailures: 0 }
    }
  }

  /** The failed attempts with this digest. */
  failures(digest: string): Readonly<Record<Attempt, number>> {
    const { lastAttemptedDigest, installFailures = 0, upgradeFailures = 0 } = this.#fields
    if (lastAttemptedDigest !== digest) return { install: 0, upgrade: 0 }
    return { install: installFailures, upgrade: upgradeFailures }
  }

  /** Records an attempt before it begins. */
  begin(action: Attempt, { version, digest }: { version: string; digest: string }): void {
    const { install: installFailures, upgrade: upgradeFailures } = this.failures(digest)
    this.#fields = {
      ...this.#fields,
      installFailures,
      upgradeFailures,
      lastAttemptedGeneration: this.#release.metadata.generation,
      lastAttemptedRevision: version,
      lastAttemptedDigest: digest,
      lastAttemptedReleaseAction: action,
    }
    // They are about an earlier attempt.
    this.state('TestSuccess', undefined)
    if (installFailures + upgradeFailures === 0) this.state('Remediated', undefined)
  }

  countFailure(counts: Attempt): void {
    const { installFailures = 0, upgradeFailures = 0 } = this.#fields
    this.#fields =
      counts === 'install'
        ? { ...this.#fields, installFailures: installFailures + 1 }
        : { ...this.#fields, upgradeFailures: upgradeFailures + 1 }
  }

  clearFailures(): void {
    this.#fields = { ...this.#fields, installFailures: 0, upgradeFailures: 0 }
  }

  of(type: Type): Stated | undefined {
    return this.#conditions[type]
  }

  /** States a condition; `undefined` removes it. Its message has at most 1000 characters. */
  state(type: Type, stated: Stated | undefined): void {
    const observedGeneration = this.#release.metadata.generation
    this.#conditions[type] =
      stated === undefined
        ? undefined
        : { ...stated, message: stated.message.slice(0, 1000), observedGeneration }
  }

  /** Writes the status, with the revisions of the release. */
  async save(revisions: readonly Revision[]): Promise<void> {
    const { metadata, spec } = this.#release
    const { name, namespace } = placeOf(this.#release)
    const history = revisions.slice(0, spec.maxHistory).map((one) => ({
      version: one.revision,
      name,
      namespace,
      chartName: one.chart.name,
      chartVersion: one.chart.version,
      appVersion: one.chart.appVersion,
      digest: one.digest,
      status: one.status,
      firstDeployed: one.info.first_deployed,
      lastDeployed: one.info.last_deployed,
      ...(Object.keys(one.testHooks).length === 0 ? {} : { testHooks: one.testHooks }),
    }))
    this.#fields = { ...this.#fields, observedGeneration: metadata.generation, history }
    const entries = Object.entries(this.#conditions).filter(([, stated]) => stated !== undefined)
    await this.#context.updateStatus({ ...this.#fields, conditions: Object.fromEntries(entries) })
  }
}
