import { dirname, join } from 'node:path'
import { type CommandContext, CommandError } from '../command/index.ts'

/** What a project says about itself under `"setpoint"` in its package.json; everything has a default. */
interface ProjectSettings {
  /** The module whose default export are the operators, from the project's folder. */
  readonly operators?: string
  /** The image that `deploy` and `generate` put into the Deployment. */
  readonly image?: string
  /** The namespace that the operators are deployed to. */
  readonly namespace?: string
  /** How many pods of the operators there are. */
  readonly replicas?: number
  /** The namespaces that the operators are restricted to. */
  readonly watch?: readonly string[]
}

/** The project that a command was called in. */
export interface Project {
  /** Where its package.json is. */
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly settings: ProjectSettings
}

/** The nearest package.json, from here upwards. */
export async function findProject({ host, folder }: CommandContext): Promise<Project> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, 'package.json')
    const info = await host.fileInfo(path)
    if (info !== undefined)
      return projectOf(at, new TextDecoder().decode(await host.readFile(path)))
    if (dirname(at) === at) {
      throw new CommandError(`there is no package.json in ${folder} or above it`, {
        hint: 'call this in the folder of a project, or make one: setpoint new NAME',
      })
    }
  }
}

function projectOf(folder: string, text: string): Project {
  const path = join(folder, 'package.json')
  const manifest = parsedManifest(path, text)
  const { name = 'operator', version = '0.0.0', setpoint = {} } = manifest
  return {
    folder,
    name: String(name),
    version: String(version),
    settings: checkedSettings(path, setpoint),
  }
}

function parsedManifest(path: string, text: string): Readonly<Record<string, unknown>> {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) {
    throw new CommandError(`${path} is not an object`)
  }
  return manifest as Readonly<Record<string, unknown>>
}

const checks: Readonly<
  Record<keyof ProjectSettings, readonly [(value: unknown) => boolean, string]>
> = {
  operators: [isText, 'the path of a module'],
  image: [isText, 'the name of an image'],
  namespace: [isText, 'the name of a namespace'],
  replicas: [(value) => Number.isInteger(value) && Number(value) >= 0, 'a whole number'],
  watch: [(value) => Array.isArray(value) && value.every(isText), 'a list of namespaces'],
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** A setting that nobody reads, or that means nothing, would be believed to work. */
function checkedSettings(path: string, settings: unknown): ProjectSettings {
  const refuse = (what: string, hint: string): never => {
    throw new CommandError(`"setpoint" in ${path}: ${what}`, { hint })
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    return refuse('it is not an object', `it may have ${Object.keys(checks).join(', ')}`)
  }
  for (const [name, value] of Object.entries(settings)) {
    const check = Object.entries(checks).find(([known]) => known === name)?.[1]
    if (check === undefined) {
      return refuse(`${name} is not a setting`, `there are ${Object.keys(checks).join(', ')}`)
    }
    if (!check[0](value)) refuse(`${name} is ${JSON.stringify(value)}`, `it must be ${check[1]}`)
  }
  return settings
}
