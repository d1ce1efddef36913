import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A loaded module, by the names of its exports. */
type Namespace = Readonly<Record<string, unknown>>

/**
 * Setpoint's modules are those that the simulator itself uses: its classes and caches must be the
 * same, whatever loads the tests.
 */
const ownModules: Readonly<Record<string, () => Promise<object>>> = {
  setpoint: async () => import('setpoint'),
  'setpoint/cel': async () => import('setpoint/cel'),
  'setpoint/certificates': async () => import('setpoint/certificates'),
  'setpoint/client': async () => import('setpoint/client'),
  'setpoint/host': async () => import('setpoint/host'),
  'setpoint/kinds': async () => import('setpoint/kinds'),
  'setpoint/schema': async () => import('setpoint/schema'),
  'setpoint/serving-certificate': async () => import('setpoint/serving-certificate'),
}

/** Whether a specifier names a module of Setpoint. */
export function isOwnModule(specifier: string): boolean {
  return specifier in ownModules
}

/** The modules of packages and of Node.js that a program imports, each loaded once. */
export class PackageModules {
  readonly #loaded = new Map<string, Promise<Namespace>>()

  /** Loads a module by its name, or by the path that its name leads to. */
  async module(name: string): Promise<Namespace> {
    const known = this.#loaded.get(name)
    if (known !== undefined) return known
    const place = isAbsolute(name) ? pathToFileURL(name).href : name
    const load = ownModules[name] ?? (async () => import(place) as Promise<object>)
    const loading = load().then((module) => module as Namespace)
    this.#loaded.set(name, loading)
    return loading
  }

  /** All modules that were loaded. */
  async all(): Promise<ReadonlyMap<string, Namespace>> {
    const entries = [...this.#loaded].map(async ([name, module]) => [name, await module] as const)
    return new Map(await Promise.all(entries))
  }
}
