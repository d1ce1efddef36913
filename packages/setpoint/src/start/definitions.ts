import type { CacheHealth } from '../cache/index.ts'
import { type Client, isApiError } from '../client/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import { CustomResourceDefinition } from '../kinds/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { type Logger, plainError } from '../log/index.ts'
import type { ReadinessCheck } from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import type { CrdManifest } from '../schema/index.ts'
import { crdDifferences } from './crd-differences.ts'
import { installDefinition } from './install-definition.ts'

/** What looking after definitions needs. */
interface DefinitionsOptions {
  readonly host: Host
  readonly client: Client
  readonly log: Logger
  /** Apply the CRDs instead of only looking at them. */
  readonly install: boolean
  /** Aborted when the process ends. */
  readonly signal: AbortSignal
}

/** How many differences are told; what is beyond is counted. */
const differencesMax = 20

/** How often it is looked whether a CRD that is being deleted is gone. */
const goneMs = 5_000

/** A look at a CRD must not hold up a start for long. */
const lookMs = 10_000

/** The CRDs of a process's operators: installs them if asked to, and tells when they are not what operators expect. */
export class Definitions {
  readonly #options: DefinitionsOptions
  readonly #definitions: ReadonlyMap<string, AnyResourceDefinition>
  /** How many differences an installed CRD has, by its name. */
  readonly #different = new Map<string, number>()
  /** Those that were said to be missing. */
  readonly #missing = new Set<string>()

  constructor(operators: readonly AnyOperator[], options: DefinitionsOptions) {
    this.#options = options
    const own = operators.flatMap(({ declaration: { definition } }) => definition ?? [])
    this.#definitions = new Map(own.map((definition) => [nameOf(definition), definition]))
  }

  /** Brings or finds the definitions in order, before caches open. Only an installation that fails throws. */
  async prepare(): Promise<void> {
    await Promise.all(
      [...this.#definitions].map(async ([name, definition]) => {
        if (this.#options.install) await this.#install(name, definition)
        else await this.#look(name, definition)
      }),
    )
  }

  /** Whether it has been said already that the CRD of a kind is missing. */
  isKnownMissing(kind: Kind): boolean {
    return this.#missing.has(nameOf(kind))
  }

  /** A kind that was missing is served now: it may not be what is expected. */
  async served(kind: Kind): Promise<void> {
    const name = nameOf(kind)
    const definition = this.#definitions.get(name)
    this.#missing.delete(name)
    if (definition !== undefined) await this.#look(name, definition)
  }

  /** One check per definition: a missing one is a problem, a different one is worth a note. */
  readiness(caches: readonly CacheHealth[]): ReadinessCheck[] {
    return [...this.#definitions].map(([name, { version }]) => {
      const isAbsent = caches.some(({ kind, state }) => state === 'absent' && nameOf(kind) === name)
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
    if (result === 'changed') log.info({ crd: name }, 'the CRD was installed')
    else if (result === 'unchanged') log.debug({ crd: name }, 'the CRD is installed already')
    else {
      log.warn({ crd: name }, 'the CRD is being deleted; it is installed again when it is gone')
      this.#missing.add(name)
      void this.#installLater(name, definition)
    }
  }

  async #installLater(name: string, definition: AnyResourceDefinition): Promise<void> {
    const { host, log, signal } = this.#options
    for (;;) {
      try {
        await host.sleep(goneMs, signal)
        if ((await installDefinition(definition, this.#options)) === 'going') continue
        log.info({ crd: name }, 'the CRD was installed')
        return
      } catch (error) {
        if (isSetpointError(error, 'ABORTED')) return
        const err = plainError(error, { stack: false })
        log.warn({ crd: name, err }, 'the CRD cannot be installed; it is tried again')
      }
    }
  }

  async #look(name: string, definition: AnyResourceDefinition): Promise<void> {
    const { client, log } = this.#options
    try {
      const installed = await client.find(CustomResourceDefinition, name, { timeout: lookMs })
      if (installed === undefined) this.#tellMissing(name)
      else this.#compare(name, installed as unknown as CrdManifest, definition.crd())
    } catch (error) {
      // Roles for production need not allow it, and what else is wrong will be seen by the caches.
      const msg = isApiError(error, 'API_FORBIDDEN')
        ? 'the CRD cannot be compared: the role does not allow to read it'
        : 'the CRD cannot be compared'
      log.debug({ crd: name, err: plainError(error, { stack: false }) }, msg)
    }
  }

  #tellMissing(name: string): void {
    this.#missing.add(name)
    this.#options.log.warn(
      { crd: name },
      `the CRD ${name} is not installed; its operator waits for it: apply it, or start with install: true`,
    )
  }

  #compare(name: string, installed: CrdManifest, wanted: CrdManifest): void {
    const all = crdDifferences(installed, wanted)
    this.#different.set(name, all.length)
    if (all.length === 0) return
    const left = all.length - differencesMax
    const differences = all.slice(0, differencesMax)
    if (left > 0) differences.push(`and ${left} more`)
    this.#options.log.warn(
      { crd: name, differences },
      `the installed CRD ${name} is not the one the operator was made for: apply it, or start with install: true`,
    )
  }
}

function nameOf({ plural, group }: { readonly plural: string; readonly group: string }): string {
  return `${plural}.${group}`
}
