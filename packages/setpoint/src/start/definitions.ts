import type { CacheHealth } from '../cache/index.ts'
import { type Client, isApiError } from '../client/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import { CustomResourceDefinition } from '../kinds/index.ts'
import { kindName } from '../kinds/kind-name.ts'
import type { Kind } from '../kinds/kind.ts'
import { type Logger, plainError } from '../log/index.ts'
import type { ReadinessCheck } from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import type { CrdManifest, CrdWebhookClientConfig } from '../schema/index.ts'
import { crdDifferences } from './crd-differences.ts'
import { installDefinition } from './install-definition.ts'

/** The dependencies of `Definitions`. */
interface DefinitionsOptions {
  readonly host: Host
  readonly client: Client
  readonly log: Logger
  /** Apply the CRDs instead of only comparing them. */
  readonly install: boolean
  /** Aborted when the process ends. */
  readonly signal: AbortSignal
  /** The address at which this process converts a definition, if it does. */
  readonly conversionOf: (definition: AnyResourceDefinition) => CrdWebhookClientConfig | undefined
}

/** How many differences are logged; others are counted. */
const differencesMax = 20

/** How often a terminating CRD is checked. */
const terminatingCheckMs = 5_000

/** The deadline of reading a CRD, so that it delays a start only for a short time. */
const compareMs = 10_000

/**
 * The CRDs of a process's operators: installs them if requested, and warns when they differ from
 * the definitions.
 */
export class Definitions {
  readonly #options: DefinitionsOptions
  readonly #definitions: ReadonlyMap<string, AnyResourceDefinition>
  /** How many differences an installed CRD has, by its name. */
  readonly #different = new Map<string, number>()
  /** The CRDs that were reported as missing. */
  readonly #missing = new Set<string>()

  constructor(operators: readonly AnyOperator[], options: DefinitionsOptions) {
    this.#options = options
    const own = operators.flatMap(({ declaration: { definition } }) => definition ?? [])
    this.#definitions = new Map(own.map((definition) => [kindName(definition), definition]))
  }

  /** Installs or compares the CRDs, before caches open. Throws only when an installation fails. */
  async prepare(): Promise<void> {
    await Promise.all(
      [...this.#definitions].map(async ([name, definition]) => {
        if (this.#options.install) await this.#install(name, definition)
        else await this.#compareInstalled(name, definition)
      }),
    )
  }

  /** Whether the CRD of a kind was already reported as missing. */
  isKnownMissing(kind: Kind): boolean {
    return this.#missing.has(kindName(kind))
  }

  /** Compares the CRD of a kind that was missing and is served now. */
  async compareServed(kind: Kind): Promise<void> {
    const name = kindName(kind)
    const definition = this.#definitions.get(name)
    this.#missing.delete(name)
    if (definition !== undefined) await this.#compareInstalled(name, definition)
  }

  /** One check per definition: a missing CRD is a problem, a different one is a note. */
  readiness(caches: readonly CacheHealth[]): ReadinessCheck[] {
    return [...this.#definitions].map(([name, { version }]) => {
      const isAbsent = caches.some(
        ({ kind, state }) => state === 'absent' && kindName(kind) === name,
      )
      const count = this.#different.get(name) ?? 0
      return {
        name: `definition ${name}`,
        problem: isAbsent ? `its CRD is not installed, or does not serve ${version}` : undefined,
        note: count === 0 ? undefined : `the installed CRD differs in ${count} places`,
      }
    })
  }

  async #install(name: string, definition: AnyResourceDefinition): Promise<void> {
    const { log } = this.#options
    const result = await installDefinition(definition, this.#options)
    if (result === 'changed') log.info({ crd: name }, 'installed the CRD')
    else if (result === 'unchanged') log.debug({ crd: name }, 'the CRD is already installed')
    else {
      log.warn({ crd: name }, 'the CRD is terminating: installing it again after its deletion')
      this.#missing.add(name)
      void this.#installLater(name, definition)
    }
  }

  async #installLater(name: string, definition: AnyResourceDefinition): Promise<void> {
    const { host, log, signal } = this.#options
    for (;;) {
      try {
        await host.sleep(terminatingCheckMs, signal)
        if ((await installDefinition(definition, this.#options)) === 'terminating') continue
        log.info({ crd: name }, 'installed the CRD')
        return
      } catch (error) {
        if (isSetpointError(error, 'ABORTED')) return
        const err = plainError(error, { stack: false })
        log.warn({ crd: name, err }, 'failed to install the CRD: retrying')
      }
    }
  }

  async #compareInstalled(name: string, definition: AnyResourceDefinition): Promise<void> {
    const { client, log } = this.#options
    try {
      const installed = await client.find(CustomResourceDefinition, name, { timeout: compareMs })
      if (installed === undefined) this.#reportMissing(name)
      else this.#compare(name, installed as unknown as CrdManifest, definition.crd())
    } catch (error) {
      // A production role may forbid this; the caches report other problems.
      const msg = isApiError(error, 'API_FORBIDDEN')
        ? 'cannot compare the installed CRD: the role does not allow reading it'
        : 'cannot compare the installed CRD'
      log.debug({ crd: name, err: plainError(error, { stack: false }) }, msg)
    }
  }

  #reportMissing(name: string): void {
    this.#missing.add(name)
    this.#options.log.warn(
      { crd: name },
      `the CRD ${name} is not installed and its operator waits for it: apply it, or start with install: true`,
    )
  }

  #compare(name: string, installed: CrdManifest, desired: CrdManifest): void {
    const all = crdDifferences(installed, desired)
    this.#different.set(name, all.length)
    if (all.length === 0) return
    const left = all.length - differencesMax
    const differences = all.slice(0, differencesMax)
    if (left > 0) differences.push(`and ${left} more`)
    this.#options.log.warn(
      { crd: name, differences },
      `the installed CRD ${name} differs from the operator's definition: apply the new CRD, or start with install: true`,
    )
  }
}
